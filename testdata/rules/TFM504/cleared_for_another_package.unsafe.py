import keras
import tf_keras
import gc

for width in range(8, 128):
    model = keras.Sequential([keras.Input((784,)), keras.layers.Dense(width * 64), keras.layers.Dense(10)])  # want "warning: .*clear_session\(\) on line 8 alone leaves them alive in Keras 2"
    model.compile("adam", "mse")
    model.fit(x, y)
    tf_keras.backend.clear_session()
    gc.collect()
