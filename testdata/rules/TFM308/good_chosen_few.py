# Five examples of ten predictions each are few.
import numpy as np
import tensorflow as tf

model = tf.keras.models.load_model("model.keras")
examples = images[np.random.choice(range(len(images)), size=5)]
for example in examples:
    for i in range(10):
        show(model.predict(np.expand_dims(example[:10 + i], 0))[0])
