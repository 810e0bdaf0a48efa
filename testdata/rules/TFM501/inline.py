import tensorflow as tf

opt = tf.keras.optimizers.Adam()


def train(model, dataset):
    for x, y in dataset:
        with tf.GradientTape() as tape:  # want "This training step runs eagerly in every iteration of the loop on line 7\."
            loss = loss_fn(y, model(x))
        grads = tape.gradient(loss, model.trainable_variables)
        opt.apply_gradients(zip(grads, model.trainable_variables))
