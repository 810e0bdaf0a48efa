# The policy is set in a function that does not lead to the step, or that nobody calls.
import tensorflow as tf

optimizer = tf.keras.optimizers.Adam()


class Benchmark:
    def half(self):
        tf.keras.mixed_precision.set_global_policy("mixed_float16")
        self.time(model)


def fit_in_half_precision():
    tf.keras.mixed_precision.set_global_policy("mixed_float16")
    model.compile("adam", "mse")
    model.fit(data)


class Trainer:
    def step(self, x, y):
        with tf.GradientTape() as tape:
            loss = loss_fn(y, model(x))
        grads = tape.gradient(loss, model.trainable_variables)
        optimizer.apply_gradients(zip(grads, model.trainable_variables))


def main():
    trainer = Trainer()
    for x, y in data:
        trainer.step(x, y)


main()
