import numpy as np
import tensorflow as tf
import keras
from keras import layers

class Encoder(keras.Model):
    def __init__(self):
        super().__init__()
        self.embed = layers.Embedding(4000, 128)
        self.attention = [layers.MultiHeadAttention(4, 32, dropout=0.1) for _ in range(2)]
        self.norms = [layers.LayerNormalization() for _ in range(4)]
        self.up = [layers.Dense(512, activation="relu") for _ in range(2)]
        self.down = [layers.Dense(128) for _ in range(2)]
        self.drop = layers.Dropout(0.1)
        self.head = layers.Dense(20)

    def call(self, x, training=False):
        x = self.embed(x)
        for i in range(2):
            h = self.attention[i](x, x, training=training)
            x = self.norms[2 * i](x + self.drop(h, training=training))
            h = self.down[i](self.up[i](x))
            x = self.norms[2 * i + 1](x + self.drop(h, training=training))
        return self.head(tf.reduce_mean(x, axis=1))

BATCH = 32
model = Encoder()
optimizer = keras.optimizers.Adam(1e-4)
cross = keras.losses.SparseCategoricalCrossentropy(from_logits=True)
data = tf.data.Dataset.from_tensor_slices((np.zeros((BATCH * 10, 96), "int32"), np.zeros((BATCH * 10,), "int32"))).batch(BATCH)
for x, y in data:
    with tf.GradientTape() as tape:
        loss = cross(y, model(x, training=True))
    gradients = tape.gradient(loss, model.trainable_variables)
    optimizer.apply_gradients(zip(gradients, model.trainable_variables))
