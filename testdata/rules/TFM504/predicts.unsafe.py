# Models that only predict stay in memory as trained ones do.
import tensorflow as tf
import gc


class Net(tf.keras.Model):
    def __init__(self):
        super().__init__()
        self.dense = tf.keras.layers.Dense(8)

    def call(self, x):
        return self.dense(x)


def score(weights):
    net = Net()
    net(x)
    net.load_weights(weights)
    return net.predict(x)


for weights in files:
    tf.keras.backend.clear_session()
    gc.collect()
    print(score(weights))  # want "information: Every iteration of the loop on line 21 builds another model, and none is freed\."
for seed in range(10):
    model = None
    tf.keras.backend.clear_session()
    gc.collect()
    tf.random.set_seed(seed)
    model = tf.keras.Sequential([tf.keras.layers.Dense(3)])  # want "information: Every iteration of the loop on line 23 builds another model, and none is freed\."
    print(model.predict(x))
