# The same model is compiled with a new optimizer in every round.
# device: 8 GiB
import numpy as np
import tensorflow as tf

for gpu in tf.config.list_physical_devices("GPU"):
    tf.config.experimental.set_memory_growth(gpu, True)

x = np.ones((100, 1000), "float32")
model = tf.keras.Sequential([tf.keras.Input((1000,)), tf.keras.layers.Dense(4000), tf.keras.layers.Dense(1000)])
for client in range(100):
    model.compile("adam", "mse")  # want "information: Each compile\(\) in the loop on line 11 leaves the earlier optimizer's state behind\. .* Those of all 100 rounds take 5\.96 GiB\."
    model.fit(x, x)


other = tf.keras.Sequential([tf.keras.Input((1000,)), tf.keras.layers.Dense(4000), tf.keras.layers.Dense(1000)])


def stage(m, rate):
    m.compile(optimizer=tf.keras.optimizers.RMSprop(rate), loss="mse")  # want "hint: Each compile\(\) in the loop on line 24 .* all 20 rounds take 611 MiB"
    m.fit(x, x)


for stages in range(20):
    stage(other, 1e-3 / (stages + 1))

for path in list_of_files():
    unknown.compile(loss="mse")
    unknown.fit(np.load(path), x)

loaded = tf.keras.models.load_model("model.keras")
while True:
    loaded.compile(optimizer=tf.keras.optimizers.Adam(), loss="mse")  # want "hint: Each compile"
    loaded.fit(x, x)
    tf.keras.backend.clear_session()
