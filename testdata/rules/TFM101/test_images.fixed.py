"""Named like a test, but a script: it defines no test, and its test step takes arguments."""
import tensorflow as tf

for gpu in tf.config.list_physical_devices("GPU"):
    tf.config.experimental.set_memory_growth(gpu, True)


def test_step(model, image):
    return model.predict(image)


def test_images(images):
    model = tf.keras.models.load_model("classifier.keras")  # want "Memory growth is not set"
    return [test_step(model, image) for image in images]


print(test_images(images))
