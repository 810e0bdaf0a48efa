# device: 4 GiB
import keras


def build(vocabulary=3_000_000, width=512):
    inputs = keras.Input((64,), dtype="int32")
    x = keras.layers.Embedding(vocabulary, width)(inputs)
    return keras.Model(inputs, keras.layers.GlobalAveragePooling1D()(x))  # want "error: The weights of this model do not fit the GPU\. They are 5\.72 GiB\. TensorFlow can use 1\.91 GiB of a GPU of 4 GiB \(named by the case\)\. The layer \"embedding\" \(Embedding\) has 1536000000 of its 1536000000 parameters\. It would fit a GPU of 22 GiB\.$"


model = build()
model.predict(x)
