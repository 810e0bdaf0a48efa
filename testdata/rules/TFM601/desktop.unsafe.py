# desktop: 12 GiB
from tensorflow import keras

# The GPU has 8.13 GiB to 10.7 GiB for TensorFlow. Training needs 9.62 GiB on 128 pictures, 8.50 to 11.7.
model = keras.applications.ResNet50(weights=None)
model.compile("adam", "sparse_categorical_crossentropy")
model.fit(keras.utils.image_dataset_from_directory("a", image_size=(224, 224), batch_size=128))
model.fit(keras.utils.image_dataset_from_directory("a", image_size=(224, 224), batch_size=80))  # want "A batch of 144 probably does not fit the GPU\. .* TensorFlow can use 9\.91 GiB \(8\.13 GiB to 10\.7 GiB\) of a GPU of 12 GiB \(named by the case\)\. The largest batch that fits is \d\d\.$"
model.fit(keras.utils.image_dataset_from_directory("a", image_size=(224, 224), batch_size=80))  # want "A batch of 256 will not fit the GPU\."
