import tensorflow as tf

names = ["/tmp/cache_files/%d.png" % i for i in range(100)]
for name in names:
    tf.io.write_file(name, tf.io.encode_png(tf.zeros([64, 64, 3], tf.uint8)))


def load(name):
    picture = tf.io.decode_png(tf.io.read_file(name), channels=3)
    return tf.image.resize(picture, (512, 512))


data = tf.data.Dataset.from_tensor_slices(names).map(load).cache().batch(4)
for epoch in range(2):
    for batch in data:
        pass
