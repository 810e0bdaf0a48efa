# keras: 2.13
# In Keras 2 clear_session() forgets models, and leaves them to the garbage collector.
import tensorflow as tf


class Net(tf.keras.Model):
    def __init__(self):
        super().__init__()
        self.wide = tf.keras.layers.Dense(8000, activation="relu")
        self.out = tf.keras.layers.Dense(10)

    def call(self, rows):
        return self.out(self.wide(rows))


for run in range(100):
    tf.keras.backend.clear_session()
    net = Net()  # want "warning: Every iteration of the loop on line 16 builds another model, and none is freed\. clear_session\(\) on line 17 alone leaves them alive in Keras 2: call gc\.collect\(\) after it\.$"
    net.compile("sgd", "mse")
    net.fit(x, y)

for run in range(100):
    net = Net()  # want "warning: .* clear_session\(\) on line 27 alone leaves them alive in Keras 2"
    net.compile("sgd", "mse")
    net.fit(x, y)
    del net
    tf.keras.backend.clear_session()
