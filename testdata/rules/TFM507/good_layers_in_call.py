# Its call makes layers, which a compiled step refuses.
import tensorflow as tf
from tensorflow.keras import Model
from tensorflow.keras.layers import BatchNormalization, Dense, Input, Layer


class Block(Layer):
    def __init__(self):
        super().__init__()
        self.dense = Dense(8)

    def call(self, inputs):
        return self.dense(BatchNormalization()(inputs))


x = Input((4,))
model = Model(x, Block()(x))
model.compile("adam", "mse")
model.run_eagerly = True
model.fit(a, b)
