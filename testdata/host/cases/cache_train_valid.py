import tensorflow as tf
import keras

whole = tf.data.Dataset.range(300).map(lambda i: (tf.fill([512, 512, 1], tf.cast(i, tf.float32)), tf.zeros([1])))
train = whole.take(200).cache().batch(2)
valid = whole.skip(200).cache().batch(2)
model = keras.Sequential([keras.Input((512, 512, 1)), keras.layers.GlobalAveragePooling2D(), keras.layers.Dense(1)])
model.compile("sgd", "mse")
model.fit(train, validation_data=valid, epochs=2, verbose=0)
