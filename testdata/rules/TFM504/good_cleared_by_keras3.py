# Keras 3 collects garbage when it clears its session, and with it the models of tf_keras.
import keras
import tf_keras

for width in range(8, 128):
    keras.backend.clear_session()
    model = tf_keras.Sequential([tf_keras.Input((784,)), tf_keras.layers.Dense(width)])
    model.compile("adam", "mse", run_eagerly=True)
    model.fit(x, y)
