# device: 600 MiB
# keras: 3.15
from tensorflow import keras
from tensorflow.keras import layers

model = keras.Sequential([layers.Input((28, 28, 1)), layers.Flatten(), layers.Dense(10)])
model.compile("adam", "sparse_categorical_crossentropy")
(x_train, y_train), _ = keras.datasets.mnist.load_data()
model.fit(x_train / 255.0, y_train, batch_size=64)
