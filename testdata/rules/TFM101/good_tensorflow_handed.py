# The function configures the TensorFlow that it is given.
import tensorflow as tf
import tensorflow.keras.backend as K


def optimize_tf_gpu(tf, K):
    if tf.__version__.startswith("2"):
        for gpu in tf.config.experimental.list_physical_devices("GPU"):
            tf.config.experimental.set_memory_growth(gpu, True)
    else:
        config = tf.ConfigProto()
        config.gpu_options.allow_growth = True
        K.set_session(tf.Session(config=config))


optimize_tf_gpu(tf, K)
model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
model.compile("sgd", "mse")
model.fit([[1.0]], [[1.0]])
