"""One example, whatever the functions of NumPy and TensorFlow do with it before."""
import numpy as np
import tensorflow as tf

model = tf.keras.models.load_model("model.keras")
for path in open("paths"):
    image = np.load(path)
    one = np.expand_dims(image, axis=(0,))
    model.predict_on_batch(one)  # want "single example"
    model.predict_on_batch(np.clip(one, 0, 1))  # want "single example"
    model.predict_on_batch(np.flip(one, axis=2))  # want "single example"
    model.predict_on_batch(np.transpose(one, (0, 2, 3, 1)))  # want "single example"
    model.predict_on_batch(np.transpose(image, (2, 0, 1))[None])  # want "single example"
    model.predict_on_batch(np.concatenate([one, one], axis=-1))  # want "single example"
    model.predict_on_batch(np.repeat(one, 3, axis=-1))  # want "single example"
    model.predict_on_batch(np.broadcast_to(image, (1, 28, 28)))  # want "single example"
    model.predict_on_batch(np.pad(one, ((0, 0), (2, 2), (2, 2))))  # want "single example"
    model.predict_on_batch(np.atleast_2d(image))  # want "single example"
    model.predict_on_batch(np.ascontiguousarray(one))  # want "single example"
    model.predict_on_batch(tf.image.resize(image[None], (224, 224)))  # want "single example"
    model.predict_on_batch(tf.math.divide(one, 255.0))  # want "single example"
    model.predict_on_batch(tf.tile(one, [1, 1, 1, 3]))  # want "single example"
    # Of several, or the same ones.
    model.predict(np.concatenate([one, one]))
    model.predict(np.repeat(one, 3, axis=0))
    model.predict(np.transpose(one))
    model.predict(np.clip(image, 0, 1))
    model.predict(np.pad(image, 2))


def predict(model, it, count):
    for step in range(count):
        images, labels = next(it)
        print(model.predict_on_batch(images))  # want "for each batch of a dataset"


predict(model, iter(tf.data.Dataset.from_tensor_slices(np.load("test.npy")).batch(8)), 1000)
