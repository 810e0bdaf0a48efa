import tensorflow as tf


def main():
    strategy = tf.distribute.MirroredStrategy()
    with strategy.scope():
        model = tf.keras.Sequential([tf.keras.layers.LSTM(64), tf.keras.layers.Dense(1)])
        optimizer = tf.keras.optimizers.RMSprop()
    data = tf.data.Dataset.from_tensor_slices((tf.zeros((512, 20, 8)), tf.zeros((512, 1)))).batch(64)
    for x, y in data:
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean(tf.square(y - model(x)))
        optimizer.apply_gradients(zip(tape.gradient(loss, model.trainable_variables), model.trainable_variables))  # want "The strategy does not run this step, so not every GPU trains\. The model is built in the scope on line 6: every GPU holds its weights\. Keras 2 trains on one, Keras 3 raises RuntimeError\. Run it by strategy\.run, or train with fit\.$"


main()
