# A Mistral of KerasHub under a head of the program's own.
import keras
import keras_hub
import numpy as np

backbone = keras_hub.models.MistralBackbone(2000, 2, 8, 256, 512, 4, head_dim=64, sliding_window=32)
outputs = keras.layers.Dense(5, activation="softmax")(backbone.output[:, -1])
model = keras.Model(backbone.inputs, outputs)
model.compile("adam", "sparse_categorical_crossentropy", jit_compile=False)
model.fit([np.ones((64, 64), "int32"), np.zeros((64, 64), "int32")], np.zeros(64, "int32"), batch_size=16)
