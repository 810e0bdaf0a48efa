# What fits few machines is told without a machine (tensorflow/tensorflow#32376, #42586).
import tensorflow as tf

BUFFER = 14_000


def load(name):
    image = tf.image.decode_png(tf.io.read_file(name))
    image = tf.image.resize(tf.cast(image, tf.float32), [512, 1024])
    image.set_shape([512, 1024, 3])
    return image[:, :512], image[:, 512:]


pairs = tf.data.Dataset.list_files("pairs/*.png").map(load, num_parallel_calls=tf.data.AUTOTUNE)
pairs = pairs.shuffle(BUFFER).batch(1)  # want "This shuffle buffer takes 82\.0 GiB of host memory\. It holds 14000 elements of 6\.00 MiB each, if the dataset is as long\."
some = tf.data.Dataset.list_files("pairs/*.png").map(load).shuffle(1000).batch(1)
for epoch in range(150):
    for a, b in pairs:
        pass
