"""Wide and deep on tabular data, a dictionary of inputs built in a loop."""
import numpy as np
import tensorflow as tf
from tensorflow import keras
from tensorflow.keras import layers

NUMERIC = ["age", "fnlwgt", "capital_gain", "capital_loss", "hours"]
CATEGORICAL = {"workclass": 9, "education": 16, "marital": 7, "occupation": 15, "race": 5, "sex": 2, "country": 42,
               "zip": 5000, "employer": 12000}
HIDDEN = [1024, 512, 256]
BATCH = 2048


def create_inputs():
    inputs = {}
    for n in NUMERIC:
        inputs[n] = layers.Input(name=n, shape=(1,), dtype="float32")
    for n in CATEGORICAL:
        inputs[n] = layers.Input(name=n, shape=(1,), dtype="int32")
    return inputs


def encode(inputs, use_embedding):
    encoded = []
    for name, tensor in inputs.items():
        if name in CATEGORICAL:
            size = CATEGORICAL[name]
            if use_embedding or size > 100:
                dims = int(np.sqrt(size)) + 1
                e = layers.Embedding(size, dims)(tensor)
                encoded.append(layers.Flatten()(e))
            else:
                encoded.append(layers.CategoryEncoding(num_tokens=size, output_mode="one_hot")(tensor))
        else:
            encoded.append(tensor)
    return layers.concatenate(encoded)


inputs = create_inputs()
wide = layers.BatchNormalization()(encode(inputs, use_embedding=False))
deep = encode(inputs, use_embedding=True)
for units in HIDDEN:
    deep = layers.Dense(units)(deep)
    deep = layers.BatchNormalization()(deep)
    deep = layers.ReLU()(deep)
    deep = layers.Dropout(0.1)(deep)
merged = layers.concatenate([wide, deep])
out = layers.Dense(units=2, activation="softmax")(merged)
model = keras.Model(inputs=inputs, outputs=out)
model.compile(optimizer=keras.optimizers.Adagrad(0.01, initial_accumulator_value=0.1),
              loss=keras.losses.SparseCategoricalCrossentropy(), metrics=[keras.metrics.SparseCategoricalAccuracy()])
N = 4 * BATCH
feats = {n: np.random.rand(N, 1).astype("float32") for n in NUMERIC}
feats.update({n: np.random.randint(0, v, (N, 1)).astype("int32") for n, v in CATEGORICAL.items()})
ds = tf.data.Dataset.from_tensor_slices((feats, np.random.randint(0, 2, N))).shuffle(1024).batch(BATCH)
model.fit(ds, epochs=1)
