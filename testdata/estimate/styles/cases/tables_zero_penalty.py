import numpy as np
from tensorflow import keras
from tensorflow.keras import layers
from tensorflow.keras.regularizers import l2
inputs = [keras.Input((), dtype="int32") for _ in range(20)]
h = layers.Concatenate()([layers.Embedding(20_000, 8, embeddings_regularizer=l2(0.0))(i) for i in inputs])
deep = layers.Dense(256, activation="relu")(h)
model = keras.Model(inputs, layers.Dense(1, activation="sigmoid")(deep))
model.compile("adam", "binary_crossentropy", jit_compile=False)
model.fit([np.zeros(8192, "int32") for _ in range(20)], np.zeros((8192, 1), "float32"), batch_size=2048)
