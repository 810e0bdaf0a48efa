# device: 4 GiB
import sys

from tensorflow import keras
from vocabulary import words

model = keras.Sequential([keras.layers.Embedding(len(words()), 1024), keras.layers.LSTM(512), keras.layers.Dense(1)])
model.compile("adam", "mse")
model.fit(x, y, batch_size=4096)

resnet = keras.applications.ResNet50(weights=None)
resnet.compile("adam", "mse")
resnet.fit(x, y, batch_size=int(sys.argv[1]))
resnet.fit(x, y, batch_size=find_batch_size())

lonely = keras.applications.ResNet50(weights=None)
lonely.fit(x, y, batch_size=4096)
