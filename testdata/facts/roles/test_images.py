# Named like a test, it tests a model.
import tensorflow as tf  # role: script, it runs code of its own

model = tf.keras.models.load_model("model.keras")
print(model.predict(images))
