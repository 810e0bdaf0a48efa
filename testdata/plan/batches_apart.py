# device: 8 GiB
# keras: 3.15
# Two trainings that do not fit, each with a batch size of its own.
import keras

train = keras.utils.image_dataset_from_directory("food")
batch_size = 128
data = keras.utils.image_dataset_from_directory("food", image_size=(224, 224), batch_size=batch_size)
base = keras.applications.ResNet50(weights="imagenet", include_top=False, input_shape=(224, 224, 3), pooling="avg")
model = keras.Sequential([base, keras.layers.Dense(5, activation="softmax")])
model.compile("adam", "sparse_categorical_crossentropy")
model.fit(data, epochs=3)

batch_size = 128
fine = keras.utils.image_dataset_from_directory("food", image_size=(224, 224), batch_size=batch_size)
other = keras.applications.ResNet50V2(weights="imagenet", include_top=False, input_shape=(224, 224, 3), pooling="avg")
second = keras.Sequential([other, keras.layers.Dense(5, activation="softmax")])
second.compile("adam", "sparse_categorical_crossentropy")
second.fit(fine, epochs=3)
