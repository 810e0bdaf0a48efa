# The order of what a model is only evaluated on does not matter.
import tensorflow as tf

train = tf.data.Dataset.from_tensor_slices((x, y)).shuffle(1000).batch(32)
valid = tf.data.Dataset.from_tensor_slices((x_valid, y_valid)).batch(32).shuffle(100)
test = tf.data.Dataset.from_tensor_slices((x_test, y_test))
test = test.batch(10)
test = test.shuffle(100)
model.fit(train, validation_data=valid)
model.evaluate(test)
