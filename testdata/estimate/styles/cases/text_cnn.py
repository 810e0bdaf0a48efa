"""Kim's CNN for sentence classification with several kernel widths."""
import numpy as np
from tensorflow.keras.layers import Conv1D, Dense, Dropout, Embedding, GlobalMaxPooling1D, Input, concatenate
from tensorflow.keras.models import Model
from tensorflow.keras.constraints import MaxNorm

MAX_FEATURES = 15000
MAX_LEN = 200
params = {"embedding": 128, "filters": 100, "kernels": (3, 4, 5), "dropout": 0.5, "batch": 50}


def text_cnn(p):
    inp = Input(shape=(MAX_LEN,), dtype="int32")
    emb = Embedding(MAX_FEATURES, p["embedding"])(inp)
    emb = Dropout(0.2)(emb)
    pooled = [GlobalMaxPooling1D()(Conv1D(p["filters"], k, activation="relu")(emb)) for k in p["kernels"]]
    z = concatenate(pooled)
    z = Dropout(p["dropout"])(z)
    out = Dense(1, activation="sigmoid", kernel_constraint=MaxNorm(3))(z)
    return Model(inp, out)


if __name__ == "__main__":
    x = np.random.randint(0, MAX_FEATURES, (500, MAX_LEN))
    y = np.random.randint(0, 2, (500,))
    m = text_cnn(params)
    m.compile("adadelta", "binary_crossentropy", metrics=["accuracy"])
    m.fit(x, y, batch_size=params["batch"], epochs=1)
