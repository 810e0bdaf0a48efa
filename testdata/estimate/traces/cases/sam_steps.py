import numpy as np
import tensorflow as tf


class SAM(tf.keras.Model):
    def __init__(self, inner):
        super().__init__()
        self.inner = inner

    def call(self, x):
        return tf.raw_ops.Elu(features=self.inner(x))

    def train_step(self, data):
        x, y = data
        variables = self.trainable_variables

        def gradients():
            with tf.GradientTape() as tape:
                loss = tf.reduce_mean(tf.keras.losses.sparse_categorical_crossentropy(y, self(x, training=True), from_logits=True))
            return loss, tape.gradient(loss, variables)

        loss, first = gradients()
        norm = tf.linalg.global_norm(first)
        moves = [0.05 * g / (norm + 1e-12) for g in first]
        for v, m in zip(variables, moves):
            v.assign_add(m)
        _, second = gradients()
        for v, m in zip(variables, moves):
            v.assign_sub(m)
        self.optimizer.apply_gradients(zip(second, variables))
        return {"loss": loss}


model = SAM(tf.keras.Sequential([tf.keras.Input((32, 32, 3)), tf.keras.layers.Conv2D(32, 3, activation="relu"), tf.keras.layers.Conv2D(32, 3, 2, activation="relu"), tf.keras.layers.Flatten(), tf.keras.layers.Dense(10)]))
model.compile(optimizer=tf.keras.optimizers.SGD(0.1, momentum=0.9))
model.fit(np.zeros((256, 32, 32, 3), "float32"), np.zeros(256, "int32"), batch_size=64, epochs=1)
