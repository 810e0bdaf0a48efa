import tensorflow as tf

train = tf.data.Dataset.from_tensor_slices((x, y)).shuffle(100).batch(256).prefetch(tf.data.AUTOTUNE)
model.fit(train, epochs=3)  # want "warning: batch_size is ignored: fit\(\) uses the batches of the Dataset\. batch\(\) on line 3 makes them\.$"
model.fit(x=train)  # want "batch_size is ignored"
model.evaluate(train, verbose=0)  # want "batch_size is ignored: evaluate\(\) uses the batches of the Dataset\."
model.predict(
    train,  # all of it
    verbose=1,
)
model.predict(
    train,
    verbose=1,  # a bar
)
model.predict(
    train,
    verbose=1
)
model.predict(train)  # want "batch_size is ignored"
model.predict(train, 32, 1)  # want "batch_size is ignored"
model.predict(x=train)  # want "batch_size is ignored"
model.predict(train, verbose=1,)  # want "batch_size is ignored"
model.fit(
    train,  # want "batch_size is ignored"
    epochs=3,
)
