# ram: 12 GiB
# A data set of pictures that are cached after they have been made larger.
import tensorflow as tf
import tensorflow_datasets as tfds


def larger(picture, label):
    return tf.image.resize(picture, (384, 384)) / 255.0, label


train, test = tfds.load("food101", split=["train", "validation"], as_supervised=True)
train = train.map(larger).cache().shuffle(1000).batch(32).prefetch(2)  # want "The program takes at least 125 GiB of the machine's own memory\. The machine has 12\.0 GiB \(named by the case\)\. It holds the cache 125 GiB.*Cache to a file"
model = tf.keras.Sequential([tf.keras.Input((384, 384, 3)), tf.keras.layers.GlobalAveragePooling2D(), tf.keras.layers.Dense(101)])
model.compile("adam", "sparse_categorical_crossentropy")
model.fit(train)
