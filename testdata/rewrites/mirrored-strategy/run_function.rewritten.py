# devices: 4
import numpy as np
import tensorflow as tf


class Regressor(tf.keras.Model):
    def __init__(self):
        super().__init__()
        self.out = tf.keras.layers.Dense(1)

    def call(self, x):
        return self.out(x)


def main():
    tf.keras.utils.set_random_seed(2)
    data = tf.data.Dataset.from_tensor_slices((np.ones((32, 4), 'float32'), np.ones((32, 1), 'float32'))).batch(8)
    strategy = tf.distribute.MirroredStrategy()
    with strategy.scope():
        model = Regressor()
        model.compile('sgd', 'mse')
    model.fit(data, verbose=0)  # <- here
    return model


if __name__ == '__main__':
    for gpu in tf.config.list_physical_devices('GPU'):
        tf.config.experimental.set_memory_growth(gpu, True)
    model = main()
