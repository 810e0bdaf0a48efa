import numpy as np
import tensorflow as tf


class Sentences(tf.keras.Model):
    """A loop of TensorFlow over the words of a sentence, with the state in hand."""

    def __init__(self):
        super().__init__()
        self.words = tf.keras.layers.Embedding(4000, 96)
        self.into = self.add_weight(shape=(96, 128), name="into")
        self.over = self.add_weight(shape=(128, 128), name="over")
        self.head = tf.keras.layers.Dense(5)

    def call(self, x):
        words = self.words(x)
        state = tf.zeros([tf.shape(x)[0], 128])

        def turn(i, state):
            return i + 1, tf.tanh(words[:, i] @ self.into + state @ self.over)

        _, state = tf.while_loop(lambda i, state: i < 24, turn, (0, state))
        return self.head(state)


model = Sentences()
model.compile(optimizer="adam", loss=tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True))
model.fit(np.random.randint(0, 4000, (256, 24)), np.random.randint(0, 5, 256), batch_size=64, epochs=1)
