# Keras cuts arrays, and validation arrays, by the batch size.
import tensorflow as tf

train = tf.data.Dataset.from_tensor_slices((x, y)).batch(256)
model.fit(x, y, batch_size=32)
model.fit(x, y, batch_size=32, validation_data=train)
model.fit(train, batch_size=32, validation_data=(x_val, y_val))
model.fit(train, batch_size=32, **options)
model.fit(train, batch_size=None)
model.fit(train)
model.predict(tf.zeros([10, 3]), batch_size=2)
model.predict(load(), batch_size=2)
model.evaluate(next(iter(train)), batch_size=2)
model.fit(*train, batch_size=32)
model.fit()
