# device: 10 GiB
# keras: 3.15
import keras

train = keras.utils.image_dataset_from_directory("birds", image_size=(299, 299), batch_size=30)

base = keras.applications.Xception(include_top=False, input_shape=(299, 299, 3), pooling="avg")
model = keras.Sequential([base, keras.layers.Dropout(0.3), keras.layers.Dense(200, activation="softmax")])
model.compile("adam", "sparse_categorical_crossentropy")
model.fit(train, epochs=5)
