# Keras compiles a train_step that fit calls, but not what the program calls itself.
import tensorflow as tf


class Direct(tf.keras.Model):
    def train_step(self, data):  # want "train_step runs eagerly in every iteration of the loop on line 15\. Under @tf\.function it is compiled once"
        x, y = data
        with tf.GradientTape() as tape:
            loss = self.compiled_loss(y, self(x, training=True))
        gradients = tape.gradient(loss, self.trainable_variables)
        self.optimizer.apply_gradients(zip(gradients, self.trainable_variables))
        return {"loss": loss}

    def train(self, dataset):
        for data in dataset:
            self.train_step(data)


class Fitted(tf.keras.Model):
    def train_step(self, data):
        x, y = data
        with tf.GradientTape() as tape:
            loss = self.compiled_loss(y, self(x, training=True))
        gradients = tape.gradient(loss, self.trainable_variables)
        self.optimizer.apply_gradients(zip(gradients, self.trainable_variables))
        return {"loss": loss}


for repeat in range(10):
    net = Fitted()
    net.fit(x, y)
