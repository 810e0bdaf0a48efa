import tensorflow as tf
import tf_keras as keras

drop = keras.layers.Dropout(0.5)
for gpu in tf.config.list_physical_devices("GPU"):
    tf.config.experimental.set_memory_growth(gpu, True)
