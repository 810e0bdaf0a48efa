"""Graph convolution on dense adjacency batches (molecules), residual GCN with readout."""
import numpy as np
import tensorflow as tf
from tensorflow import keras
from tensorflow.keras import layers

NODES, FEATS = 60, 32
BATCH = 64


class GraphConv(layers.Layer):
    def __init__(self, units, activation=None, dropout=0.0, **kwargs):
        super().__init__(**kwargs)
        self.units = units
        self.activation = keras.activations.get(activation)
        self.dropout = layers.Dropout(dropout)

    def build(self, input_shape):
        feat = input_shape[0][-1]
        self.w = self.add_weight(shape=(feat, self.units), initializer="glorot_uniform", name="w")
        self.w_self = self.add_weight(shape=(feat, self.units), initializer="glorot_uniform", name="w_self")
        self.b = self.add_weight(shape=(self.units,), initializer="zeros", name="b")

    def call(self, inputs, training=None):
        x, adj = inputs
        deg = tf.reduce_sum(adj, axis=-1, keepdims=True)
        norm = adj / tf.maximum(deg, 1.0)
        neigh = tf.matmul(norm, x) @ self.w
        out = self.activation(neigh + x @ self.w_self + self.b)
        return self.dropout(out, training=training)


nodes = keras.Input((NODES, FEATS))
adj = keras.Input((NODES, NODES))
x = layers.Dense(128)(nodes)
for i in range(4):
    h = GraphConv(128, activation="relu", dropout=0.1)([x, adj])
    x = layers.LayerNormalization()(x + h)
gate = layers.Dense(1, activation="sigmoid")(x)
readout = tf.reduce_sum(gate * x, axis=1) if False else layers.Lambda(lambda t: tf.reduce_sum(t[0] * t[1], axis=1))([gate, x])
readout = layers.Dense(64, activation="relu")(readout)
out = layers.Dense(12, activation="sigmoid")(readout)
model = keras.Model([nodes, adj], out)
model.compile(optimizer=keras.optimizers.Adam(5e-4, clipvalue=0.5), loss="binary_crossentropy", metrics=["AUC"])
xs = np.random.rand(320, NODES, FEATS).astype("float32")
a = (np.random.rand(320, NODES, NODES) > 0.9).astype("float32")
y = np.random.randint(0, 2, (320, 12)).astype("float32")
model.fit([xs, a], y, batch_size=BATCH, epochs=1)
