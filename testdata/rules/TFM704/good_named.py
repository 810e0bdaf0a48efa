import tensorflow as tf

batch_per_gpu = 64
steps_per_device_epoch = 8
samples_person = people() * 2
strategy = tf.distribute.MirroredStrategy(["/gpu:0", "/gpu:1"])
with strategy.scope():
    model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
    model.compile("sgd", "mse")
alone = tf.keras.Sequential([tf.keras.layers.Dense(1)])
alone.compile("sgd", "mse")
alone.fit(x, y, batch_size=batch_per_gpu)
model.fit(x, y, batch_size=batch_per_gpu * len(tf.config.list_physical_devices("GPU")))
model.fit(x, y, batch_size=samples_person, steps_per_epoch=steps_per_device_epoch)
batch_per_gpu *= 2
model.fit(x, y, batch_size=batch_per_gpu)
