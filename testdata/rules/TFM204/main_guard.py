import tensorflow as tf
from tensorflow import train


def run():
    return tf.Session()  # want "has no attribute 'Session'"


def other():
    return train.MonitoredSession()  # want "has no attribute 'MonitoredSession'"


if __name__ == "__main__":
    optimizer = tf.optimizers.Adam()
    run()
