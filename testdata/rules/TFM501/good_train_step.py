import tensorflow as tf


class Net(tf.keras.Model):
    def train_step(self, data):
        x, y = data
        with tf.GradientTape() as tape:
            loss = self.compiled_loss(y, self(x, training=True))
        gradients = tape.gradient(loss, self.trainable_variables)
        self.optimizer.apply_gradients(zip(gradients, self.trainable_variables))
        return {"loss": loss}


net = Net()
net.compile(tf.keras.optimizers.Adam(), "mse")
for epoch in range(3):
    net.fit(x, y)
