# A step of a test, which the module passes a batch, is no test.
import tensorflow as tf  # role: script, it runs code of its own

model = tf.keras.models.load_model("model.keras")


def test_step(batch):
    return model(batch)


for batch in batches:
    test_step(batch)
