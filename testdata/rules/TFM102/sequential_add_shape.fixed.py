import tensorflow as tf

model = tf.keras.Sequential()
gpus = tf.config.experimental.list_physical_devices("GPU")
for gpu in gpus:
    tf.config.experimental.set_memory_growth(gpu, True)  # want "model.add\(\) on line 4 has already initialised the devices, as it does in Keras 3 \(the newest: nothing in the project names a version\), so this call raises RuntimeError"

model.add(tf.keras.layers.Dense(8, activation="relu", input_dim=4))
