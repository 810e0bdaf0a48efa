# keras: 3.8
import tensorflow as tf

for seed in range(10):
    tf.keras.backend.clear_session()
    tf.keras.Sequential([tf.keras.layers.Dense(3)]).predict(x)
