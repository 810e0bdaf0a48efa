# keras: 2.12
# machine: 4 x 16 GiB
import tensorflow as tf

strategy = tf.distribute.MirroredStrategy()
USE_XLA = True


def build():
    inputs = tf.keras.Input((32,))
    return tf.keras.Model(inputs, tf.keras.layers.Dense(1)(inputs))


with strategy.scope():
    resnet = tf.keras.applications.ResNet50(weights=None, classes=100)
    resnet.compile("adam", "sparse_categorical_crossentropy", jit_compile=True)  # want "warning: Each step that XLA compiles under this MirroredStrategy leaks memory in TensorFlow 2\.12\. So says named by the case; releases 2\.9 to 2\.13 leave memory and threads behind until training fails\. Set jit_compile=False\.$"
    small = build()
small.compile("sgd", "mse", jit_compile=USE_XLA)  # want "Each step that XLA compiles under this MirroredStrategy leaks memory"
resnet.fit(images, labels, batch_size=64)
small.fit(x, y)

two = tf.distribute.MirroredStrategy(["GPU:0", "GPU:1"])
with two.scope():
    model = build()
    model.compile("sgd", "mse", jit_compile=True)  # want "Each step that XLA compiles"
model.fit(x, y)
