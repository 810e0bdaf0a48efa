import tensorflow as tf


class Net(tf.keras.Model):
    def __init__(self):
        super().__init__()
        self.dense = tf.keras.layers.Dense(10)

    def call(self, x):
        return self.dense(x)

    def train_step(self, data):
        x, y = data
        with tf.GradientTape() as tape:
            loss = self.compute_loss(y=y, y_pred=self(x, training=True))
        gradients = tape.gradient(loss, self.trainable_variables)
        self.optimizer.apply_gradients(zip(gradients, self.trainable_variables))
        return {"loss": loss}


strategy = tf.distribute.MirroredStrategy()
with strategy.scope():
    model = Net()
    model.compile("adam", "mse")
model.fit(tf.data.Dataset.from_tensor_slices((tf.zeros((64, 4)), tf.zeros((64, 10)))).batch(16))
