import tensorflow as tf
from tensorflow.compat.v1.keras.backend import set_session

config = tf.ConfigProto()
config.gpu_options.allow_growth = True
sess = tf.Session(config=config)


def returned():
    config = tf.ConfigProto()
    config.gpu_options.allow_growth = True
    return config


def stored(self, options):
    a = tf.ConfigProto()
    self.config = a
    b = tf.ConfigProto()
    options["config"] = b
    c = tf.ConfigProto()
    d = c
    e = tf.ConfigProto()
    run(session_config=e)
    f = tf.ConfigProto()
    yield f
    g = tf.GPUOptions(allow_growth=True)
    set_session(tf.Session(config=tf.ConfigProto(gpu_options=g)))
    h = tf.ConfigProto()
    locals_ = [h]


def named():
    config = tf.ConfigProto()
    return tf.Session(**{k: v for k, v in locals().items()})


def closed_over():
    config = tf.ConfigProto()

    def run():
        return tf.Session(config=config)

    return run
