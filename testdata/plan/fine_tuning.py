# device: 6 GiB
# keras: 3.15
# The base is frozen first, and then trained on purpose.
from tensorflow import keras
from tensorflow.keras import layers

train = keras.utils.image_dataset_from_directory("train", image_size=(224, 224), batch_size=64)

base = keras.applications.EfficientNetB0(include_top=False, weights="imagenet", input_shape=(224, 224, 3), pooling="avg")
base.trainable = False
inputs = keras.Input((224, 224, 3))
x = base(inputs, training=False)
x = layers.Dropout(0.2)(x)
outputs = layers.Dense(5)(x)
model = keras.Model(inputs, outputs)
loss = keras.losses.SparseCategoricalCrossentropy(from_logits=True)
model.compile(keras.optimizers.Adam(1e-3), loss)
model.fit(train, epochs=5)

base.trainable = True
model.compile(keras.optimizers.Adam(1e-5), loss)
model.fit(train, epochs=5)
