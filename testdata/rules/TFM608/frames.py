# ram: 2 GiB
import numpy as np
import tensorflow as tf

frames = []
for i in range(1500):
    frames.append(np.zeros((512, 512, 3), dtype="float32") + i)
    print(tf.reduce_mean(frames[-1]))
stacked = np.array(frames)  # want "The program takes at least 8\.79 GiB of the machine's own memory\. The machine has 2\.00 GiB"
model = tf.keras.Sequential([tf.keras.Input((512, 512, 3)), tf.keras.layers.GlobalAveragePooling2D(), tf.keras.layers.Dense(1)])
model.compile("adam", "mse")
