# device: 12 GiB
import tensorflow as tf
from tensorflow.keras import layers

model = tf.keras.Sequential()
model.add(layers.Input((224, 224, 3)))
model.add(layers.Flatten())
model.add(layers.Dense(8192, activation="relu"))
model.add(layers.Dense(10))
model.compile("adam", "mse")
model.fit(load(), epochs=3)  # want "error: The weights and optimizer state of this model do not fit the GPU\. The weights \(4\.59 GiB\) and the state of Adam \(9\.19 GiB\) are 13\.8 GiB together, before any data\. A smaller batch does not help\. TensorFlow can use 9\.91 GiB of a GPU of 12 GiB \(named by the case\)\. The layer \"dense\" \(Dense\) has 1233133568 of its 1233215498 parameters\. It would fit a GPU of 23 GiB\.$"
