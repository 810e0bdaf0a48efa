# keras: 3.8
import keras
import tensorflow as tf

strategy = tf.distribute.MirroredStrategy()
with strategy.scope():
    encoder = keras.Sequential([keras.layers.Dense(32)])
    sgd = keras.optimizers.SGD(0.1, momentum=0.9)


def update(batch):
    with tf.GradientTape() as tape:
        loss = tf.reduce_sum(encoder(batch) ** 2)
    gradients = tape.gradient(loss, encoder.trainable_variables)
    sgd.apply(gradients, encoder.trainable_variables)  # want "This step raises RuntimeError: the strategy does not run it\. The model is built in the scope on line 6, and Keras 3 says: Need to be inside \"with strategy\.scope\(\)\"\."


for _ in range(100):
    update(tf.random.normal((64, 16)))
