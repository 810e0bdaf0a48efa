# As TensorFlow's tutorial on images has it: the builder shuffles.
import tensorflow as tf

train = tf.keras.utils.image_dataset_from_directory("pictures")
train = train.cache().shuffle(1000).prefetch(tf.data.AUTOTUNE)
model.fit(train)
