# device: 24 GiB
# keras-team/tf-keras#286: a model of the program's class, whose size its first data tell.
import tensorflow as tf


class Wide(tf.keras.Model):
    def __init__(self):
        super().__init__()
        self.first = tf.keras.layers.Dense(8000, activation="relu")
        self.second = tf.keras.layers.Dense(8000, activation="relu")
        self.out = tf.keras.layers.Dense(100, activation="softmax")

    def call(self, x):
        return self.out(self.second(self.first(x)))


x, y = tf.random.uniform((256, 20)), tf.random.uniform((256, 100))
for run in range(300):
    tf.keras.backend.clear_session()
    wide = Wide()  # want "^warning: Every iteration of the loop on line 18 trains another model whose variables stay\. .* In Keras 2, clear_session\(\) alone frees not even the objects: there, gc\.collect\(\) must follow it\. All 300 of them together take 7\d\.\d GiB at most\."
    wide.compile("sgd", "mse")
    wide.fit(x, y, verbose=0)
