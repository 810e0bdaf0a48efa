import numpy as np
import tensorflow as tf
from sklearn.linear_model import LinearRegression

model = tf.keras.models.load_model("model.keras")
other = LinearRegression()
COUNT = 5
names = ["a.png", "b.png"]

# Batches, or what may be.
for batch in dataset:
    model.predict(batch)
    model.predict(np.array(batch))
    model.predict(np.expand_dims(batch, -1))
    model.predict(batch[..., np.newaxis])
    model.predict(batch.reshape(-1, 784))
    model.predict([batch])
    model.predict(np.array([batch, batch]))
    model.predict(prepare(batch))
    model.predict(batch[0:10])
for start in range(0, len(x), 100):
    model.predict(x[start:start + 100])
for fold in range(100):
    model.predict(x_test)
    # The same in each turn.
    model.predict(np.expand_dims(x_test, 0))

# A few.
for i in range(10):
    show(model.predict(x[i:i + 1]))
for i in range(COUNT):
    show(model.predict(x[i][None]))
for image in images[:10]:
    show(model.predict(image[None]))
for name in names:
    show(model.predict(read(name)[None]))
for i in range(len(names)):
    show(model.predict(np.expand_dims(read(names[i]), 0)))
for image in ("a", "b"):
    show(model.predict(np.expand_dims(image, 0)))
for i, image in enumerate(dataset.take(3)):
    show(model.predict(np.expand_dims(image, 0)))

# Models, and others' predict.
for each in models():
    each.predict(np.expand_dims(x, 0))
for path in paths:
    loaded = tf.keras.models.load_model(path)
    loaded.predict(np.expand_dims(x_of(path), 0))
for row in rows:
    other.predict(np.expand_dims(row, 0))
    unknown.predict(np.expand_dims(row, 0))
    model.predict_on_batch(np.expand_dims(row, 0))
    model(np.expand_dims(row, 0))

# Once.
model.predict(np.expand_dims(x[0], 0))


class Show(tf.keras.callbacks.Callback):
    def on_epoch_end(self, epoch, logs=None):
        show(model.predict(np.expand_dims(self.image, 0)))


def predict_one(image):
    return model.predict(np.expand_dims(image, 0))


def predict_fixed():
    return model.predict(np.expand_dims(FIXED, 0))


predict_one(x[0])
for epoch in range(100):
    predict_fixed()
for row in rows:
    model.predict(*row)
    model.predict(
