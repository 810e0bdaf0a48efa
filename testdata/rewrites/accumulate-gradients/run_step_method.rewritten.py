"""A compiled method takes a whole batch and unpacks it; its gradients are sparse, and clipped."""
import numpy as np
import tensorflow as tf


class Trainer:
    def __init__(self, model):
        self.model = model
        self.optimizer = tf.keras.optimizers.Adam(0.01)
        self.loss = tf.keras.losses.BinaryCrossentropy(from_logits=True)

    @tf.function(jit_compile=False)
    def step(self, batch):
        tokens, labels = batch
        # Each batch is taken in four parts, whose gradients are averaged.
        whole_batch = (labels, tokens)
        size = tf.nest.flatten(whole_batch)[0].shape[0]
        rows = (size + 3) // 4
        gradients = []
        for start in range(0, size, rows):
            with tf.control_dependencies([g for g in gradients if g is not None]):  # one part after the other
                labels, tokens = tf.nest.map_structure(lambda t: t[start:start + rows], whole_batch)
            with tf.GradientTape() as tape:  # <- here
                loss = self.loss(labels, model(tokens, training=True))
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
            mean_loss = share * loss if start == 0 else mean_loss + share * loss
        loss = mean_loss
        gradients, norm = tf.clip_by_global_norm(gradients, 1.0)
        self.optimizer.apply_gradients(zip(gradients, model.trainable_variables))
        return loss, norm

    def train(self, tokens, labels):
        data = tf.data.Dataset.from_tensor_slices((tokens, labels)).batch(10).repeat(2)
        for number, batch in enumerate(data):
            loss, norm = self.step(batch)
            print(number, float(loss), float(norm))


tf.keras.utils.set_random_seed(9)
model = tf.keras.Sequential([tf.keras.layers.Embedding(50, 8), tf.keras.layers.GlobalAveragePooling1D(), tf.keras.layers.Dense(1)])
Trainer(model).train(np.random.randint(0, 50, size=(33, 6)), np.random.randint(0, 2, size=(33, 1)).astype("float32"))
