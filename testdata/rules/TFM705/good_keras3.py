import os

os.environ["KERAS_BACKEND"] = "tensorflow"
import keras
import tensorflow as tf

strategy = tf.distribute.MirroredStrategy()
with strategy.scope():
    model = keras.Sequential([keras.layers.Dense(1)])
    model.compile("sgd", "mse")
model.fit(strategy.experimental_distribute_dataset(tf.data.Dataset.range(100).batch(10)))
