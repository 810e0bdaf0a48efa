import tensorflow as tf


def train(dataset):
    for x, y in dataset:
        with tf.GradientTape() as tape:
            loss = loss_fn(y, model(x, training=True))
        gradients = tape.gradient(loss, model.trainable_variables)
        optimizer.apply_gradients(zip(gradients, model.trainable_variables))


def main():
    dataset = tf.data.Dataset.from_tensor_slices((images, labels)).map(prepare).batch(32)
    return model.summary()
    train(dataset)


optimizer = tf.keras.optimizers.Adam()
main()
