"""The gradient of an embedding is sparse, and one weight has none. The step is in
a method that runs eagerly."""
import numpy as np
import tensorflow as tf


class Classifier(tf.keras.Model):
    def __init__(self):
        super().__init__()
        self.embedding = tf.keras.layers.Embedding(50, 8)
        self.out = tf.keras.layers.Dense(1)
        self.unused = self.add_weight(shape=(2,), name="unused")

    def call(self, tokens):
        return self.out(tf.reduce_mean(self.embedding(tokens), axis=1))


class Trainer:
    def __init__(self, model):
        self.model = model
        self.optimizer = tf.keras.optimizers.Adam(0.01)
        self.loss = tf.keras.losses.BinaryCrossentropy(from_logits=True)

    def train(self, tokens, labels):
        data = tf.data.Dataset.from_tensor_slices((tokens, labels)).batch(10).repeat(2)
        variables = model.trainable_variables
        for x, y in data:
            # Each batch is taken in four parts, whose gradients are averaged.
            batch = (x, y)
            size = tf.nest.flatten(batch)[0].shape[0]
            rows = (size + 3) // 4
            for start in range(0, size, rows):
                x, y = tf.nest.map_structure(lambda t: t[start:start + rows], batch)
                with tf.GradientTape() as tape:  # <- here
                    loss = self.loss(y, model(x))
                    loss += sum(model.losses)
                share = min(rows, size - start) / size
                if start == 0:
                    gradients = [None] * len(model.trainable_variables)
                for i, part in enumerate(tape.gradient(loss, model.trainable_variables)):
                    if isinstance(part, tf.IndexedSlices):  # the rows of an embedding
                        values, indices = share * part.values, part.indices
                        if gradients[i] is not None:
                            values = tf.concat([gradients[i].values, values], 0)
                            indices = tf.concat([gradients[i].indices, indices], 0)
                        gradients[i] = tf.IndexedSlices(values, indices, part.dense_shape)
                    elif part is not None:
                        part = share * part
                        gradients[i] = part if gradients[i] is None else gradients[i] + part
            self.optimizer.apply_gradients(zip(gradients, model.trainable_variables))


tf.keras.utils.set_random_seed(2)
model = Classifier()
Trainer(model).train(np.random.randint(0, 50, size=(33, 6)), np.random.randint(0, 2, size=(33, 1)).astype("float32"))
