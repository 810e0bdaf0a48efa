"""Layers that are replaced, extended and called on arrays that no batch is a part of."""

import keras
import numpy as np
import tensorflow as tf
from keras import layers, ops


class Low(layers.Layer):
    """A layer that is frozen, with a small one beside it."""

    def __init__(self, original, rank, trainable=False):
        config = original.get_config()
        super().__init__(name=config["name"], trainable=trainable)
        self.original = original
        self.original.trainable = False
        self.a = layers.Dense(rank, use_bias=False, trainable=trainable, name="low_a")
        self.b = layers.Dense(config["units"], use_bias=False, trainable=trainable, name="low_b")

    def call(self, x):
        return self.original(x) + self.b(self.a(x))


class Block(layers.Layer):
    def __init__(self, dim, **options):
        super().__init__(**options)
        self.query = layers.Dense(dim, name="query")
        self.up = layers.Dense(dim)

    def call(self, x):
        return self.up(self.query(x))


class Deep(keras.Model):
    def __init__(self, dim=8, depth=3):
        super().__init__()
        self.blocks = [Block(dim, name=f"block_{i}") for i in range(depth)]
        self.head = layers.Dense(5)

    def call(self, x):
        for block in self.blocks:
            x = block(x)
        return self.head(x)


rows = np.zeros((64, 8), "float32")
low = Deep()
low(rows[:1])
for block in low.blocks:
    block._tracker.unlock()
    block.query = Low(block.query, rank=2, trainable=True)
low(rows[:1])
for layer in low._flatten_layers():
    if len(list(layer._flatten_layers())) == 1:
        layer.trainable = layer.name in ("low_a", "low_b")


class Rounded(layers.Dense):
    """Reads the kernel that Dense built for it."""

    def call(self, inputs):
        out = ops.matmul(inputs, ops.round(self.kernel))
        if self.use_bias:
            out = out + self.bias
        return out if self.activation is None else self.activation(out)


rounded = keras.Sequential([keras.Input((12,)), Rounded(7, activation="relu"), layers.Dense(2)])


class Head(keras.Sequential):
    """Hands its layers to Sequential."""

    def __init__(self, hidden, out, **options):
        super().__init__([layers.Dense(hidden), layers.BatchNormalization(), layers.Dense(out)], **options)


class Headed(keras.Model):
    def __init__(self):
        super().__init__()
        self.head = Head(6, 3, name="projection")

    def call(self, x):
        return self.head(x)


headed = Headed()
headed.compile("adam", "mse")
headed.fit(rows, np.zeros((64, 3)), verbose=0)


class Neighbours(layers.Layer):
    """Adds up what the neighbours of a node say."""

    def __init__(self, units):
        super().__init__()
        self.units = units

    def build(self, shapes):
        self.kernel = self.add_weight(shape=(shapes[0][-1], self.units), name="kernel")
        self.update = layers.Dense(self.units)

    def call(self, inputs):
        nodes, edges = inputs
        messages = tf.gather(tf.matmul(nodes, self.kernel), edges[1])
        added = tf.math.unsorted_segment_sum(messages, edges[0], num_segments=nodes.shape[0])
        return self.update(tf.concat([nodes, added], axis=1))


class Graph(keras.Model):
    """Is called on the whole graph, whatever the batch is."""

    def __init__(self, nodes, edges):
        super().__init__()
        self.nodes, self.edges = nodes, edges
        self.first = layers.Dense(5)
        self.hops = [Neighbours(5) for _ in range(2)]
        self.out = layers.Dense(4)

    def call(self, inputs):
        nodes, edges = inputs
        x = self.first(nodes)
        for hop in self.hops:
            x = hop([x, edges]) + x
        return self.out(x)

    def train_step(self, data):
        indices, labels = data
        with tf.GradientTape() as tape:
            logits = tf.gather(self([self.nodes, self.edges]), indices)
            loss = self.compute_loss(y=labels, y_pred=logits)
        gradients = tape.gradient(loss, self.trainable_weights)
        self.optimizer.apply_gradients(zip(gradients, self.trainable_weights))
        return {"loss": loss}


graph = Graph(tf.ones((20, 9)), tf.zeros((2, 50), tf.int32))
graph.compile("sgd", keras.losses.SparseCategoricalCrossentropy(from_logits=True))
graph.fit(np.arange(16), np.zeros(16, "int32"), batch_size=8, verbose=0)


class Attended(layers.Layer):
    """Weighs its neighbours, of which each node has another number."""

    def build(self, shapes):
        self.kernel = self.add_weight(shape=(shapes[0][-1], 6), name="kernel")

    def call(self, inputs):
        nodes, edges = inputs
        scores = tf.reduce_sum(tf.gather(nodes, edges[:, 0]), -1)
        sums = tf.math.unsorted_segment_sum(scores, edges[:, 0], num_segments=tf.reduce_max(edges[:, 0]) + 1)
        sums = tf.repeat(sums, tf.math.bincount(tf.cast(edges[:, 0], "int32")))
        messages = tf.gather(tf.matmul(nodes, self.kernel), edges[:, 1]) * (scores / sums)[:, None]
        return tf.math.unsorted_segment_sum(messages, edges[:, 0], num_segments=tf.shape(nodes)[0])


nodes, edges = keras.Input((9,)), keras.Input((2,), dtype="int32")
attended = keras.Model([nodes, edges], layers.Dense(2)(Attended()([nodes, edges])))


class Halves(layers.Layer):
    """Cuts what it is given where a list says."""

    def build(self, shape):
        self.first, self.second = layers.Dense(4), layers.Dense(4)

    def call(self, x):
        some, others = ops.split(x, [3], axis=-1)
        return self.first(some) + self.second(others)


halves = keras.Sequential([keras.Input((5, 10)), Halves()])
