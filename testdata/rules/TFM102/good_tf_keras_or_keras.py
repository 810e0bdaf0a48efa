import tensorflow as tf

# Which of the two it is depends on what is installed.
try:
    import tf_keras as keras
except ImportError:
    import keras

model = keras.Sequential()
drop = keras.layers.Dropout(0.5)
for gpu in tf.config.list_physical_devices("GPU"):
    tf.config.experimental.set_memory_growth(gpu, True)
