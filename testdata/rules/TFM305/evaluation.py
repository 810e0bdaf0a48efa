# Loops that only run a model: their pipelines work on the host when a batch is asked for.
import tensorflow as tf


class Network(tf.keras.Model):
    def __init__(self):
        super().__init__()
        self.dense = tf.keras.layers.Dense(10)

    def call(self, x):
        return self.dense(x)


network = Network()
model = tf.keras.Sequential([tf.keras.layers.Dense(10)])
loss_object = tf.keras.losses.SparseCategoricalCrossentropy()
test_loss = tf.keras.metrics.Mean()


def test_step(images, labels):
    predictions = network(images)
    test_loss(loss_object(labels, predictions))


@tf.function
def compiled_step(images):
    return model(images, training=False)


test_ds = tf.data.Dataset.from_tensor_slices((x_test, y_test)).batch(32)
for epoch in range(5):
    for test_images, test_labels in test_ds:  # want "The pipeline that reaches this loop does not prefetch\."
        test_step(test_images, test_labels)

files = tf.data.TFRecordDataset(names)
for x in files:  # want "The pipeline that reaches this loop does not prefetch\."
    compiled_step(tf.io.parse_tensor(x, tf.float32))

rows = tf.data.Dataset.from_tensor_slices(x_test).map(prepare).batch(8)
for i, batch in enumerate(rows):  # want "The pipeline that reaches this loop does not prefetch\."
    flat = tf.reshape(batch, (-1, 784))
    scaled = flat / 255.0
    print(i, model.predict_on_batch(scaled))
