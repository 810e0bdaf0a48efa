import tensorflow as tf


def augment(image, size=tf.image.stateless_random_crop):
    return image


session = tf.compat.v1.Session()  # want "which tf.image.stateless_random_crop on line 4 needs"
