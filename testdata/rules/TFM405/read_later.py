# What reads the list later reads arrays then.
import numpy as np
import tensorflow as tf

model = tf.keras.applications.ResNet50()
images = tf.data.TFRecordDataset("images.tfrecord").map(parse).batch(32).prefetch(2)
outputs, scores, shapes = [], [], []
for x, y in images:
    outputs.append(model(x, training=False))  # want "outputs keeps the model's output"
    scores.append(model(x, training=False))  # want "scores keeps the model's output"
    shapes.append(model(x, training=False))  # want "shapes keeps the model's output"
print(np.concatenate([o.numpy() for o in outputs]), outputs[0].numpy().shape)
print(tf.concat(scores, axis=0).numpy())
for s in shapes:
    print(s.get_shape())
