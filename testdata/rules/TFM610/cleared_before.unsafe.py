import tensorflow as tf

tf.keras.mixed_precision.set_global_policy("mixed_float16")  # want "warning: clear_session\(\) on line 8 drops this policy\. It is part of the state that Keras 3 resets: the layers compute in float32\. Set it again after that call\."


def build(width):
    # A fresh start for each model.
    tf.keras.backend.clear_session()
    tf.keras.mixed_precision.set_global_policy("mixed_float16")
    return tf.keras.Sequential([tf.keras.Input((32,)), tf.keras.layers.Dense(width), tf.keras.layers.Dense(1)])


model = build(64)
model.compile("adam", "mse")
