# ram: 12 GiB
import tensorflow as tf


def test_shuffle():
    images = tf.keras.utils.image_dataset_from_directory("photos", image_size=(512, 512), batch_size=32)
    images = images.shuffle(1000)
    assert images is not None


test_shuffle()
