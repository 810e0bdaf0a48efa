import numpy as np
import keras
from keras import layers

NUMERIC = ["age", "hours", "gain", "loss", "fnlwgt"]
VOCAB = {
    "workclass": ["Private", "Self", "Gov", "None"],
    "education": ["HS", "College", "Bachelors", "Masters", "PhD"],
    "occupation": ["job%d" % i for i in range(15)],
    "country": ["c%d" % i for i in range(42)],
}
hidden_units = [1024, 1024, 512]
batch_size = 2048
n = 8192

features = {c: np.random.rand(n, 1).astype("float32") for c in NUMERIC}
for c, v in VOCAB.items():
    features[c] = np.random.randint(0, len(v), (n, 1))
target = np.random.randint(0, 2, (n, 1))


def create_model_inputs():
    inputs = {}
    for c in NUMERIC:
        inputs[c] = layers.Input(name=c, shape=(1,), dtype="float32")
    for c in VOCAB:
        inputs[c] = layers.Input(name=c, shape=(1,), dtype="int64")
    return inputs


def encode_inputs(inputs, use_embedding=False):
    encoded = []
    for name in inputs:
        if name in VOCAB:
            vocabulary = VOCAB[name]
            if use_embedding:
                dims = int(np.sqrt(len(vocabulary))) * 8
                e = layers.Embedding(input_dim=len(vocabulary), output_dim=dims)(inputs[name])
                encoded.append(layers.Flatten()(e))
            else:
                encoded.append(layers.CategoryEncoding(num_tokens=len(vocabulary), output_mode="multi_hot")(inputs[name]))
        else:
            encoded.append(inputs[name])
    crossed = layers.HashedCrossing(num_bins=5000, output_mode="one_hot")((inputs["education"], inputs["occupation"]))
    if not use_embedding:
        encoded.append(crossed)
    return layers.concatenate(encoded)


def create_wide_and_deep_model(dropout_rate=0.1):
    inputs = create_model_inputs()
    wide = encode_inputs(inputs)
    wide = layers.BatchNormalization()(wide)
    deep = encode_inputs(inputs, use_embedding=True)
    for units in hidden_units:
        deep = layers.Dense(units)(deep)
        deep = layers.BatchNormalization()(deep)
        deep = layers.ReLU()(deep)
        deep = layers.Dropout(dropout_rate)(deep)
    merged = layers.concatenate([wide, deep])
    outputs = layers.Dense(units=1, activation="sigmoid")(merged)
    return keras.Model(inputs=inputs, outputs=outputs)


model = create_wide_and_deep_model()
model.compile(optimizer=keras.optimizers.Adam(learning_rate=0.001), loss=keras.losses.BinaryCrossentropy(),
              metrics=[keras.metrics.BinaryAccuracy(), keras.metrics.AUC(name="auc")])
model.fit(features, target, epochs=1, batch_size=batch_size)
