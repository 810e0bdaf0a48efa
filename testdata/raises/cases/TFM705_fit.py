# rule: TFM705
# raises: ValueError: When providing a distributed dataset, you must specify the number of steps to run.
# keras: 2
import numpy as np
import tensorflow as tf

strategy = tf.distribute.MirroredStrategy(["CPU:0"])
with strategy.scope():
    model = tf.keras.Sequential([tf.keras.Input((4,)), tf.keras.layers.Dense(1)])
    model.compile("sgd", "mse")
dataset = tf.data.Dataset.from_tensor_slices((np.ones((8, 4), "float32"), np.ones((8, 1), "float32"))).batch(4)
dataset = strategy.experimental_distribute_dataset(dataset)
model.fit(dataset, epochs=1)
