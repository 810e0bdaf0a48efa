# device: 4 GiB
# keras: 2.3
# fit_generator is called here, and fit is not.
from keras import layers, models, optimizers
from keras.preprocessing.image import ImageDataGenerator

model = models.Sequential()
model.add(layers.Conv2D(64, (3, 3), activation="relu", input_shape=(224, 224, 3)))
model.add(layers.MaxPooling2D((2, 2)))
model.add(layers.Conv2D(128, (3, 3), activation="relu"))
model.add(layers.GlobalAveragePooling2D())
model.add(layers.Dense(1, activation="sigmoid"))
model.compile(loss="binary_crossentropy", optimizer=optimizers.RMSprop(lr=1e-4), metrics=["acc"])

train = ImageDataGenerator(rescale=1.0 / 255).flow_from_directory("train", target_size=(224, 224), batch_size=96, class_mode="binary")
model.fit_generator(train, steps_per_epoch=100, epochs=30)
