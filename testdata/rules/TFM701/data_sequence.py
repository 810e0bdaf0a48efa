# The items of the sequence are resized with TensorFlow, in a forked process (keras-team/keras#11634, tensorflow/tensorflow#25947).
# keras: 2.13
import numpy as np
import tensorflow as tf

WORKERS = 4


class Pictures(tf.keras.utils.Sequence):
    def __init__(self, paths, labels, batch):
        self.paths, self.labels, self.batch = paths, labels, batch

    def __len__(self):
        return len(self.paths) // self.batch

    def __getitem__(self, i):
        some = slice(i * self.batch, (i + 1) * self.batch)
        pictures = np.stack([np.load(p) for p in self.paths[some]])
        return tf.image.resize(pictures, (224, 224)), self.labels[some]


pictures = Pictures(PATHS, LABELS, 16)
model = tf.keras.applications.MobileNetV2(weights=None, classes=10)
model.compile("adam", "sparse_categorical_crossentropy")
model.fit(pictures, epochs=5, use_multiprocessing=True, workers=WORKERS)  # want "warning: model\.fit\(\) forks 4 workers after TensorFlow has initialised its devices\. use_multiprocessing=True copies this process for each, without its threads\. Pictures\.__getitem__ runs in the copies and calls TensorFlow on line 19, which waits forever for those threads\. Python forks by default on Linux before 3\.14\. Read with threads instead, use_multiprocessing=False, or with tf\.data\.$"
model.predict(pictures, use_multiprocessing=True)  # want "model\.predict\(\) forks a worker after"
