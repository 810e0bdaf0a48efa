import numpy as np
import tensorflow as tf
from tensorflow.keras import layers, Model, activations, initializers

NUM_ATOMS, ATOM_DIM, BOND_DIM = 64, 16, 4


class RelationalGraphConvLayer(layers.Layer):
    def __init__(self, units=128, activation="relu", use_bias=False, kernel_initializer="glorot_uniform", **kwargs):
        super().__init__(**kwargs)
        self.units = units
        self.activation = activations.get(activation)
        self.use_bias = use_bias
        self.kernel_initializer = initializers.get(kernel_initializer)

    def build(self, input_shape):
        bond_dim = input_shape[0][1]
        atom_dim = input_shape[1][2]
        self.kernel = self.add_weight(shape=(bond_dim, atom_dim, self.units), initializer=self.kernel_initializer,
                                      trainable=True, name="W", dtype=tf.float32)
        if self.use_bias:
            self.bias = self.add_weight(shape=(bond_dim, 1, self.units), initializer="zeros", name="b")
        self.built = True

    def call(self, inputs, training=False):
        adjacency, features = inputs
        x = tf.matmul(adjacency, features[:, None, :, :])
        x = tf.matmul(x, self.kernel)
        if self.use_bias:
            x += self.bias
        x_reduced = tf.reduce_sum(x, axis=1)
        return self.activation(x_reduced)


class GraphAttentionPool(layers.Layer):
    def __init__(self, units, **kw):
        super().__init__(**kw)
        self.gate = layers.Dense(units, activation="sigmoid")
        self.value = layers.Dense(units, activation="tanh")

    def call(self, x):
        return tf.reduce_sum(self.gate(x) * self.value(x), axis=1)


def get_model(gconv_units=(128, 128, 128), dense_units=(512, 512), dropout=0.2):
    adjacency = layers.Input(shape=(BOND_DIM, NUM_ATOMS, NUM_ATOMS))
    features = layers.Input(shape=(NUM_ATOMS, ATOM_DIM))
    h = features
    for units in gconv_units:
        h = RelationalGraphConvLayer(units)([adjacency, h])
    h = GraphAttentionPool(256)(h)
    for units in dense_units:
        h = layers.Dense(units, activation="relu")(h)
        h = layers.Dropout(dropout)(h)
    return Model([adjacency, features], layers.Dense(1, dtype="float32")(h))


adj = (np.random.rand(256, BOND_DIM, NUM_ATOMS, NUM_ATOMS) < 0.05).astype("float32")
feat = np.eye(ATOM_DIM, dtype="float32")[np.random.randint(0, ATOM_DIM, (256, NUM_ATOMS))]
y = np.random.rand(256, 1).astype("float32")
model = get_model()
model.compile(optimizer=tf.keras.optimizers.Adadelta(1.0), loss=tf.keras.losses.MeanAbsoluteError(),
              metrics=[tf.keras.metrics.MeanSquaredError()])
model.fit([adj, feat], y, batch_size=64, epochs=1)
