import tensorflow as tf


@tf.function
def train_step(x, y):
    with tf.GradientTape(persistent=True) as tape:  # want "hint: Only one gradient is computed from the tape, so persistent=True is unnecessary\. The one call of gradient\(\) is on line 8\. The tape lives only while this code is traced into a graph, where it changes nothing\.$"
        loss = loss_fn(y, model(x))
    gradients = tape.gradient(loss, model.trainable_variables)
    optimizer.apply_gradients(zip(gradients, model.trainable_variables))


def either(x, y):
    with tf.GradientTape(persistent=True) as tape:  # want "information: .* In code that is traced into a graph it changes nothing; elsewhere it keeps every tensor that the tape recorded\.$"
        loss = loss_fn(y, model(x))
    return tape.gradient(loss, model.trainable_variables)


compiled = tf.function(either)
for x, y in batches:
    train_step(x, y)
    compiled(x, y)
    either(x, y)


class Net(tf.keras.Model):
    def train_step(self, data):
        with tf.GradientTape(persistent=True) as tape:  # want "Only one gradient"
            loss = self.compute_loss(*data)
        self.optimizer.apply(tape.gradient(loss, self.trainable_variables), self.trainable_variables)
        return {"loss": loss}
