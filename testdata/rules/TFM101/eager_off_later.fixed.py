import tensorflow as tf

for gpu in tf.config.list_physical_devices("GPU"):
    tf.config.experimental.set_memory_growth(gpu, True)

x = tf.ones([2, 2])  # want "information: Memory growth is not set"
tf.compat.v1.disable_eager_execution()
model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
model.fit(x_train, y_train)
