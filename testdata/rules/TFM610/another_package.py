import tensorflow as tf
import tf_keras

tf.keras.mixed_precision.set_global_policy("mixed_float16")  # want "warning: No layer here takes this policy: all are of tf_keras\. The layers, such as that on line 6, belong to another package than tf\.keras, with a policy of its own, and compute in float32\. Call tf_keras\.mixed_precision\.set_global_policy\."

model = tf_keras.Sequential([tf_keras.Input((32,)), tf_keras.layers.Dense(10)])
model.compile("adam", "mse")
