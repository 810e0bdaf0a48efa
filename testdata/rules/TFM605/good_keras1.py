# What Keras 1 calls Conv2D(64, 3, 3) is another layer than Keras 2 makes of it.
from keras.layers import Conv2D, Dense, Flatten
from keras.models import Sequential

model = Sequential()
model.add(Conv2D(64, 3, 3, border_mode="same", input_shape=(224, 224, 3)))
model.add(Flatten())
model.add(Dense(128))
model.compile(loss="categorical_crossentropy", optimizer="adam")
model.fit_generator(batches, steps_per_epoch=100)
