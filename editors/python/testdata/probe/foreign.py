# A layer whose get_config is the program's own, which is not run.
# want: - fit ([4, 6] float32, [4, 4] float32) 3
# want: - m Functional 24
# want: - base Functional 21 config

import tensorflow as tf, numpy as np
tf.keras.mixed_precision.set_global_policy("mixed_float16")
class L(tf.keras.layers.Layer):
    def __init__(self, n, **k):
        super().__init__(**k); self.n = n
    def build(self, s): self.w = self.add_weight(shape=(int(s[-1]), self.n))
    def call(self, x): return tf.matmul(x, tf.cast(self.w, x.dtype))
    def get_config(self):
        print("own get_config"); return {**super().get_config(), "n": self.n}
i = tf.keras.Input((6,)); m = tf.keras.Model(i, L(4)(i)); m.compile("adam", "mse")
base = tf.keras.Model(i, tf.keras.layers.Dense(3)(i))
def loss(a, b): return tf.reduce_mean((a-b)**2)
base.compile("adam", loss)
m.fit({"a": 1} and np.zeros((9, 6)), np.zeros((9, 4)), batch_size=4, verbose=2)
