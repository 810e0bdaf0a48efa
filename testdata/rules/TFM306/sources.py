# A source that is told not to shuffle, and an order that is kept on purpose.
import tensorflow as tf

flowers = tf.keras.utils.image_dataset_from_directory("flowers", shuffle=False).shuffle(10)
ds = tf.data.Dataset.from_tensor_slices(images).repeat().shuffle(100, reshuffle_each_iteration=False)  # want "shuffle\(\) comes after repeat\(\)"
