# device: 8 GiB
# keras: 3.15
import keras

BATCH = 256

train = keras.utils.image_dataset_from_directory("flowers", image_size=(180, 180), batch_size=BATCH)
model = keras.applications.EfficientNetB0(weights=None, input_shape=(180, 180, 3), classes=5)
model.compile(keras.optimizers.Adam(1e-3), "sparse_categorical_crossentropy")
model.fit(train, epochs=10)
