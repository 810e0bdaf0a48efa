# The epochs' loop calls the function that goes over the data: prefetch belongs where the
# pipeline is made, once.
import tensorflow as tf

dataset = tf.data.Dataset.from_tensor_slices((features, labels)).batch(32)


def train_step(x, y):
    with tf.GradientTape() as tape:
        loss = loss_fn(y, model(x))
    gradients = tape.gradient(loss, model.trainable_variables)
    optimizer.apply_gradients(zip(gradients, model.trainable_variables))


def train_epoch():
    for x, y in dataset:  # want "The pipeline that reaches the training loop does not prefetch\."
        train_step(x, y)
    print(len(dataset))


def run_epochs():
    for epoch in range(10):
        train_epoch()


run_epochs()
