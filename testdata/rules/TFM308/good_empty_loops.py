# These loops have no iterations.
import numpy as np
import tensorflow as tf

model = tf.keras.models.load_model("model.keras")
NONE = 0
for i in range(0):
    print(model.predict(np.expand_dims(images[i], 0)))
for i in range(NONE):
    print(model.predict(np.expand_dims(images[i], 0)))
while False:
    print(model.predict(np.expand_dims(images.pop(), 0)))
