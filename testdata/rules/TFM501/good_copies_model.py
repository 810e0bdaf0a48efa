# A compiled step may not make variables when it is traced again.
import tensorflow as tf

model = tf.keras.Sequential([tf.keras.layers.Dense(40, input_shape=(1,)), tf.keras.layers.Dense(1)])
optimizer = tf.keras.optimizers.Adam()


def copy_of(model):
    copy = tf.keras.models.clone_model(model)
    copy.set_weights(model.get_weights())
    return copy


for x, y in tasks:
    with tf.GradientTape() as tape:
        fast = copy_of(model)
        loss = tf.reduce_mean((fast(x) - y) ** 2) + tf.reduce_mean((model(x) - y) ** 2)
    gradients = tape.gradient(loss, model.trainable_variables)
    optimizer.apply_gradients(zip(gradients, model.trainable_variables))
