# device: 2 GiB
# keras: 3.15
# fit, its validation and predict each copy arrays whole.
from tensorflow.keras import layers
from tensorflow.keras.datasets import cifar10
from tensorflow.keras.models import Model
from tensorflow.keras.layers import Input

(x_train, _), (x_test, _) = cifar10.load_data()
x_train = x_train.astype("float32") / 255.0
x_test = x_test.astype("float32") / 255.0

inputs = Input((32, 32, 3))
x = layers.Conv2D(64, 3, padding="same", activation="relu")(inputs)
x = layers.MaxPooling2D()(x)
x = layers.Conv2DTranspose(64, 3, strides=2, padding="same", activation="relu")(x)
outputs = layers.Conv2D(3, 3, padding="same", activation="sigmoid")(x)
model = Model(inputs, outputs)
model.compile(optimizer="adam", loss="mse")
model.fit(x_train, x_train, epochs=20, batch_size=256, shuffle=False, validation_data=(x_test, x_test))
model.predict(x_test)
