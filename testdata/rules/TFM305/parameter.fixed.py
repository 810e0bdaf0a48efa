# The model is a parameter: what is trained on the data is not known to be Keras's.
import tensorflow as tf

dataset = tf.data.Dataset.from_tensor_slices((x_train, y_train)).batch(32).prefetch(tf.data.AUTOTUNE)
ready = dataset.prefetch(2)


def train(model, optimizer):
    for epoch in range(10):
        for (features, labels) in dataset:  # want "The pipeline that reaches the training loop does not prefetch\."
            with tf.GradientTape() as tape:
                loss = loss_of(model(features), labels)
            grads = tape.gradient(loss, model.trainable_variables)
            optimizer.apply_gradients(zip(grads, model.trainable_variables))


def train_ready(model, optimizer):
    for features, labels in ready:
        with tf.GradientTape() as tape:
            loss = loss_of(model(features), labels)
        grads = tape.gradient(loss, model.trainable_variables)
        optimizer.apply_gradients(zip(grads, model.trainable_variables))


def invert(model, target):
    for shift in tf.data.Dataset.range(10):  # not what the tape records
        with tf.GradientTape() as tape:
            tape.watch(target)
            loss = model(target)
        target -= tape.gradient(loss, target)
        print(shift)
    return target
