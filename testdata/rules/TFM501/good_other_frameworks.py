# No tf.function compiles what another framework computes.
import cv2
import dgl
import tensorflow as tf
from dgl.nn.tensorflow import GraphConv

model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
optimizer = tf.keras.optimizers.Adam()


class GCN(tf.keras.Model):
    def __init__(self, graph):
        super().__init__()
        self.graph = graph
        self.convolutions = []
        for _ in range(2):
            self.convolutions.append(GraphConv(8, 8))

    def call(self, x):
        for convolution in self.convolutions:
            x = convolution(self.graph, x)
        return x


def train(graph, features):
    net = GCN(graph)
    for epoch in range(200):
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean(net(features))
        optimizer.apply_gradients(zip(tape.gradient(loss, net.trainable_variables), net.trainable_variables))


def step(x):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(model(cv2.resize(x, (32, 32))))
    optimizer.apply_gradients(zip(tape.gradient(loss, model.trainable_variables), model.trainable_variables))


for x in dataset:
    step(x)
