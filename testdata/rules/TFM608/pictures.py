# ram: 12 GiB
# The pictures of a loop, joined to one array.
import numpy as np
import tensorflow as tf

pictures = []
for i in range(30_000):
    picture = tf.keras.utils.load_img(f"photos/{i}.jpg", target_size=(224, 224))
    pictures.append(tf.keras.utils.img_to_array(picture))
pictures = np.array(pictures)  # want "The program takes at least 33\.6 GiB of the machine's own memory"
model = tf.keras.Sequential([tf.keras.Input((224, 224, 3)), tf.keras.layers.Flatten(), tf.keras.layers.Dense(1)])
model.compile("adam", "mse")
model.fit(pictures, np.ones(len(pictures)))
