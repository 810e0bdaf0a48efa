import numpy as np
import tensorflow as tf
from tensorflow import keras

(x_train, y_train), (x_test, y_test) = keras.datasets.cifar10.load_data()
x_train, x_test = x_train.astype('float32') / 255, x_test / 255.0
x_train = np.ascontiguousarray(x_train)

model = keras.Sequential()
model.add(keras.layers.Conv2D(64, 3, padding='same', input_shape=(32, 32, 3)))
model.add(keras.layers.GlobalAveragePooling2D())
model.add(keras.layers.Dense(10))
before = model.predict(x_train)  # want "information: This call takes all 50000 examples as one batch\. That is 586 MiB of input as float32, and every layer computes its output for all of them, the largest of 12\.2 GiB\. Use predict\(\), which works in batches\.$"
predicted = model.predict(x_test)  # want "This call takes all 10000 examples as one batch\. That is 117 MiB of input as float32, and every layer computes its output for all of them, the largest of 2\.44 GiB\. Use predict\(\), which works in batches\.$"
labels = np.argmax(model.predict(x_test), axis=-1)  # want "all 10000 examples"
most = model(x_train[1000:], training=True)  # want "all 49000 examples"
