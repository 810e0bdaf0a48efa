"""The innermost loop that trains; strings keep their lines."""
import numpy as np
import tensorflow as tf

tf.keras.utils.set_random_seed(2)
model = tf.keras.Sequential([tf.keras.Input((4,)), tf.keras.layers.Dense(1)])
optimizer = tf.keras.optimizers.SGD(0.1)
dataset = tf.data.Dataset.from_tensor_slices((np.ones((40, 4), 'float32'), np.ones((40, 1), 'float32'))).batch(8)


@tf.function
def train_step(x, y):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(tf.square(y - model(x)))
    gradients = tape.gradient(loss, model.trainable_variables)
    optimizer.apply_gradients(zip(gradients, model.trainable_variables))
    return loss


for epoch in range(2):
    with tf.profiler.experimental.Profile('logs'):
        for step, (x, y) in enumerate(dataset):
            loss = train_step(x, y)  # <- here

            # Every other step.
            if step % 2 == 0:
                print('''
  a step
of''', epoch, \
      'with loss', float(loss))
        else:
            print('all')
