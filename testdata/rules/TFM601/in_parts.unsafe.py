# device: 8 GiB
import tensorflow as tf


class Parts(tf.keras.Model):
    """A batch is taken in equal parts: their number divides it."""

    def __init__(self, net, parts):
        super().__init__()
        self.net, self.parts = net, parts

    def call(self, x, training=False):
        return self.net(x, training=training)

    def train_step(self, data):
        x, y = data
        total = [tf.zeros_like(v) for v in self.net.trainable_variables]
        for xs, ys in zip(tf.split(x, self.parts), tf.split(y, self.parts)):
            with tf.GradientTape() as tape:
                loss = self.compute_loss(xs, ys, self(xs, training=True)) / self.parts
            total = [a + g for a, g in zip(total, tape.gradient(loss, self.net.trainable_variables))]
        self.optimizer.apply_gradients(zip(total, self.net.trainable_variables))
        return {"loss": loss}


model = Parts(tf.keras.applications.MobileNet(weights=None), 3)
model.compile("adam", "sparse_categorical_crossentropy")
model.fit(tf.zeros((768, 224, 224, 3)), tf.zeros((768,)), batch_size=216)  # want "The largest batch that fits is \d*\.$"
