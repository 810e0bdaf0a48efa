# ram: 64 GiB
# The decoded pictures of ImageNet, for training and validation, in memory (larq/zoo#258).
import tensorflow as tf
import tensorflow_datasets as tfds

train, validation = tfds.load("imagenet2012", split=["train", "validation"], as_supervised=True)


def prepare(picture, label):
    return tf.cast(tf.image.resize_with_crop_or_pad(picture, 224, 224), tf.float32), label


train = train.map(prepare).cache("train.cache").shuffle(10_000).batch(128)  # want "The program takes at least 7\d\d GiB of the machine's own memory\. The machine has 64\.0 GiB"
validation = validation.map(prepare).cache().batch(128)
net = tf.keras.applications.ResNet50(weights=None)
net.compile("sgd", "sparse_categorical_crossentropy")
net.fit(train, validation_data=validation, epochs=75)
