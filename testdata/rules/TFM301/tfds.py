import tensorflow as tf
import tensorflow_datasets as tfds

(ds_train, ds_test), info = tfds.load("mnist", split=["train", "test"], as_supervised=True, with_info=True)
ds_train = ds_train.cache().shuffle(1000)
model.fit(ds_train, epochs=6)  # want "tfds.load on line 4"
model.evaluate(ds_test.batch(128))
