# device: 2 GiB
from tensorflow import keras

model = keras.applications.VGG19(weights=None)
model.compile("adam", "mse")
model.fit(x, y, batch_size=16)  # want "error: The weights and optimizer state of this model do not fit the GPU\. The weights \(548 MiB\) and the state of Adam \(1\.07 GiB\) are 1\.61 GiB together, before any data\. A smaller batch does not help\. TensorFlow can use 1\.19 GiB of a GPU of 2 GiB \(named by the case\)\. The layer \"fc1\" \(Dense\) has 102764544 of its 143667240 parameters\. It would fit a GPU of 5 GiB\.$"
