import tensorflow as tf

train = tf.data.Dataset.from_tensor_slices((x, y)).shuffle(100).batch(256).prefetch(tf.data.AUTOTUNE)
model.fit(train, epochs=3, batch_size=32)  # want "warning: batch_size is ignored: fit\(\) uses the batches of the Dataset\. batch\(\) on line 3 makes them\.$"
model.fit(x=train, batch_size=32)  # want "batch_size is ignored"
model.evaluate(train, batch_size=BATCH_SIZE, verbose=0)  # want "batch_size is ignored: evaluate\(\) uses the batches of the Dataset\."
model.predict(
    train,  # all of it
    batch_size=32,  # want "batch_size is ignored: predict\(\) uses the batches of the Dataset\."
    verbose=1,
)
model.predict(
    train,
    verbose=1,  # a bar
    batch_size=32,  # want "predict"
)
model.predict(
    train,
    verbose=1,
    batch_size=32  # want "predict"
)
model.predict(train, 32)  # want "batch_size is ignored"
model.predict(train, 32, 1)  # want "batch_size is ignored"
model.predict(batch_size=32, x=train)  # want "batch_size is ignored"
model.predict(train, verbose=1, batch_size=32,)  # want "batch_size is ignored"
model.fit(
    train, batch_size=32,  # want "batch_size is ignored"
    epochs=3,
)
