# device: 8 GiB
# The tensor that holds all pictures is what does not fit, whatever the batch.
import tensorflow as tf
from tensorflow import keras

for gpu in tf.config.list_physical_devices("GPU"):
    tf.config.experimental.set_memory_growth(gpu, True)

(x_train, y_train), _ = keras.datasets.cifar10.load_data()
x_train = tf.image.resize(x_train, (224, 224))
base = keras.applications.ResNet50(include_top=False, input_shape=(224, 224, 3), pooling="avg")
model = keras.Sequential([base, keras.layers.Dense(10, activation="softmax")])
model.compile("adam", "sparse_categorical_crossentropy")
model.fit(x_train, y_train, batch_size=32, epochs=5)  # want "warning: 28\.0 GiB of data on the GPU leave no room for a batch of 32\. Training needs about [\d.]+ GiB .* No batch size helps: make the tensors under tf\.device"
