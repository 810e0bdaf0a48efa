# Two replicas, each in a thread of its own.
# args: run
# want: step x [8, 3] float32
# want: - ds dataset ([16, 3] float32, [16, 4] float32) None

import numpy as np, tensorflow as tf
tf.config.set_logical_device_configuration(tf.config.list_physical_devices("CPU")[0], [tf.config.LogicalDeviceConfiguration()]*2)
s = tf.distribute.MirroredStrategy(["CPU:0","CPU:1"])
with s.scope():
    model = tf.keras.Sequential([tf.keras.layers.Dense(4)]); opt = tf.keras.optimizers.Adam()
    model.compile(opt, "mse")
import sys
if sys.argv[1] == "fit":
    model.fit(np.zeros((64, 3), "float32"), np.zeros((64, 4), "float32"), batch_size=16, verbose=2)
else:
    ds = s.experimental_distribute_dataset(tf.data.Dataset.from_tensor_slices((np.zeros((64, 3), "float32"), np.zeros((64, 4), "float32"))).batch(16))
    def step(x, y):
        with tf.GradientTape() as tape:
            l = tf.reduce_mean((model(x) - y) ** 2)
        g = tape.gradient(l, model.trainable_variables)
        opt.apply_gradients(zip(g, model.trainable_variables))
    @tf.function
    def dist(x, y):
        s.run(step, args=(x, y))
    for x, y in ds:
        dist(x, y)
print("after")
