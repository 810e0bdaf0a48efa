# What Keras 1 calls Conv2D(64, 3, 3) is another layer than Keras 2 makes of it: 3 by 3, with a stride of 1.
from keras.layers import Conv2D, Dense, Flatten
from keras.models import Sequential

model = Sequential()
model.add(Conv2D(64, 3, 3, border_mode="same", input_shape=(224, 224, 3)))
model.add(Flatten())
model.add(Dense(128))  # want "each of the 3211264 numbers that Flatten produces from \(224, 224, 64\)"
model.compile(loss="categorical_crossentropy", optimizer="adam")
model.fit_generator(batches, steps_per_epoch=100)
