# A model that is printed is of use.
import tensorflow as tf  # role: script, it runs code of its own

model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
print(model.count_params())
