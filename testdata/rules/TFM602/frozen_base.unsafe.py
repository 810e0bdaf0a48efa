# device: 2 GiB
from tensorflow import keras

base = keras.applications.ConvNeXtLarge(weights="imagenet", include_top=False, input_shape=(32, 32, 3), pooling="avg")
inputs = keras.Input((32, 32, 3))
model = keras.Model(inputs, keras.layers.Dense(10)(base(inputs)))
base.trainable = False
model.compile(optimizer="adam", loss="mse")
model.fit(images, labels, batch_size=4)  # want "error: The weights and optimizer state of this model do not fit the GPU\. The weights \(749 MiB\) and the state of Adam \(1\.46 GiB\) are 2\.19 GiB together, before any data\. A smaller batch does not help\. TensorFlow can use 1\.19 GiB of a GPU of 2 GiB \(named by the case\)\. With a frozen base, training would need about 767 MiB and perhaps fit\. With SGD, training would need about 804 MiB and perhaps fit\.$"
