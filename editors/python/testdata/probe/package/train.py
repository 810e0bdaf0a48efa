# python -m, and the names of another module.
# module: package.train
# want: - BATCH 20
# want: main fit ([20, 4] float32, [20, 3] float32) 5

import numpy as np, tensorflow as tf
from package import config
def main():
    x = np.zeros((99, 4), "float32")
    model = tf.keras.Sequential([tf.keras.Input((4,)), tf.keras.layers.Dense(3)])
    model.compile("sgd", "mse")
    model.fit(x, np.zeros((99, 3)), batch_size=config.BATCH, verbose=2)
if __name__ == "__main__":
    main()
