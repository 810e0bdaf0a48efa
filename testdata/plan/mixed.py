# device: 12 GiB
# keras: 3.15
import keras

train = keras.utils.image_dataset_from_directory("flowers", image_size=(224, 224), batch_size=96)
model = keras.applications.DenseNet121(weights=None, classes=5)
model.compile(keras.optimizers.SGD(0.1), "sparse_categorical_crossentropy", jit_compile=False)
model.fit(train, epochs=10)
