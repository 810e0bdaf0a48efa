# Keras 2 makes another layer of Conv2D(64, 3, 3) than Keras 1 did: its stride is 3.
# This is said once of a program.
from keras.layers import Conv2D, Dense, Flatten
from keras.models import Sequential

model = Sequential()
model.add(Conv2D(64, 3, 3, border_mode="same", input_shape=(224, 224, 3)))  # want "No current Keras runs this program, so its memory is not checked"
model.add(Flatten())
model.add(Dense(128))
model.compile(loss="categorical_crossentropy", optimizer="adam")
model.fit_generator(batches, samples_per_epoch=100, nb_epoch=3)
