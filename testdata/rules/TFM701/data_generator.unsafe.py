# fit_generator reads the images in processes (keras-team/keras#10340).
# keras: 2.6
import tensorflow as tf
from tensorflow.keras.preprocessing.image import ImageDataGenerator

images = ImageDataGenerator(rescale=1 / 255, horizontal_flip=True)
train = images.flow_from_directory("train", target_size=(64, 64), batch_size=32)
model = tf.keras.Sequential([tf.keras.layers.Flatten(), tf.keras.layers.Dense(train.num_classes)])
model.compile("adam", "categorical_crossentropy")
model.fit_generator(train, steps_per_epoch=100, workers=8, use_multiprocessing=False)  # want "information: model\.fit_generator\(\) forks 8 workers after TensorFlow has initialised its devices\. use_multiprocessing=True copies this process for each, without its threads\. A worker that calls TensorFlow hangs, and so may one that needs a lock which another thread held; what the copies write adds up in memory\. Python forks by default on Linux before 3\.14\. Read with threads instead, use_multiprocessing=False, or with tf\.data\.$"
