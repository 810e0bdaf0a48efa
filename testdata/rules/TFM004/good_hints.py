import pandas as pd
from tensorflow import keras

from mine import load

table = pd.read_csv("train.csv")  # tfmem: columns=30, rows=1000
rows = load("rows")  # tfmem: rows=20
words = load("words")  # tfmem: value=8_000
images = load(
    "images",
)  # noqa: E501  # tfmem: shape=(None, 28, 28)
tokenizer = keras.preprocessing.text.Tokenizer()
tokenizer.fit_on_texts(load("texts"))
size = len(tokenizer.word_index) + 1  # tfmem: value=5000
# tfmem: it is prose = not a hint


def build(
    units,  # tfmem: units=64
    x=None,
):  # tfmem: x.shape=(None, 30)
    return keras.layers.Dense(units)


def classes(path):
    return len(load(path))  # tfmem: value=10


classes("a")
model = keras.Sequential([keras.layers.Embedding(size, 8)])
