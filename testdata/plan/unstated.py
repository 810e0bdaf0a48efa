# device: 8 GiB
# Nothing states a Keras: the price and the plans assume the newest, and say so.
from tensorflow.keras import layers
from tensorflow.keras.models import Sequential
from tensorflow.keras.preprocessing.image import ImageDataGenerator

batch_size = 128

model = Sequential()
model.add(layers.Conv2D(64, 3, activation="relu", input_shape=(224, 224, 3)))
model.add(layers.BatchNormalization())
model.add(layers.MaxPooling2D())
model.add(layers.Conv2D(128, 3, activation="relu"))
model.add(layers.GlobalAveragePooling2D())
model.add(layers.Dense(10, activation="softmax"))
model.compile(loss="categorical_crossentropy", optimizer="adam", metrics=["accuracy"])

train = ImageDataGenerator(rescale=1 / 255).flow_from_directory("train", target_size=(224, 224), batch_size=batch_size)
val = ImageDataGenerator(rescale=1 / 255).flow_from_directory("val", target_size=(224, 224), batch_size=batch_size)
model.fit(train, steps_per_epoch=8000 // batch_size, epochs=10, validation_data=val, validation_steps=2000 // batch_size)
