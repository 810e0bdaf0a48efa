import os
os.environ["TF_USE_LEGACY_KERAS"] = "1"
import numpy as np
import tensorflow as tf
import tf_keras
from tf_keras import layers

class NeuralLM(tf_keras.Model):
    """Bengio-style LM with a huge softmax."""
    def __init__(self, vocab=30000, dim=64, hidden=128):
        super().__init__()
        self.emb = layers.Embedding(vocab, dim)
        self.flat = layers.Flatten()
        self.h = layers.Dense(hidden, activation="tanh")
        self.out = layers.Dense(vocab)

    def call(self, x):
        return self.out(self.h(self.flat(self.emb(x))))

model = NeuralLM()
model.compile(
    optimizer=tf_keras.optimizers.Adam(1e-3),
    loss=tf_keras.losses.SparseCategoricalCrossentropy(from_logits=True),
    metrics=[tf_keras.metrics.SparseTopKCategoricalAccuracy(5)],
    jit_compile=False,
)
model.fit(np.random.randint(0, 30000, (1024, 5)), np.random.randint(0, 30000, 1024), batch_size=256)
