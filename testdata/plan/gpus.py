# machine: 2 x 12 GiB
# keras: 3.15
import keras

train = keras.utils.image_dataset_from_directory("cats", image_size=(224, 224), batch_size=128)
model = keras.applications.ResNet50(weights=None, classes=2)
model.compile("adam", "sparse_categorical_crossentropy")
model.fit(train, epochs=5)
