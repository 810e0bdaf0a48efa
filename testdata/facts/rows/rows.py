import cv2
import gym
import numpy as np
import tensorflow as tf
from PIL import Image
from tensorflow.keras.applications.vgg16 import preprocess_input
from tensorflow.keras.preprocessing.sequence import pad_sequences
from tensorflow.keras.utils import img_to_array, load_img

x = np.load("x.npy")
one = np.expand_dims(x, 0)
print(x)  # rows: unknown
print(one)  # rows: one
print(np.expand_dims(x, axis=(0,)))  # rows: one
print(np.expand_dims(x, -1))  # rows: unknown
print(np.expand_dims(one, -1))  # rows: one
print(x[None])  # rows: one
print(x[np.newaxis, ..., tf.newaxis])  # rows: one
print(x[i : i + 1])  # rows: one
print(x[-2:-1, :, None])  # rows: one
print(x[:2])  # rows: unknown
print(x[0])  # rows: unknown
print(one[0])  # rows: unknown
print(one[:, 1:])  # rows: one
print(x.reshape(1, -1))  # rows: one
print(x.reshape((1, h, w, 3)))  # rows: one
print(x.reshape(-1, *x.shape))  # rows: one
print(x.reshape((-1,) + x.shape))  # rows: one
print(x.reshape(-1, x.shape[0]))  # rows: one
print(x.reshape(-1, 28, 28))  # rows: unknown
print(np.reshape(x, (1, 4)).astype("float32"))  # rows: one
print(cv2.resize(x, (w, h)).reshape(-1, h, w, 3))  # rows: one
print(np.array(Image.open("a").resize((512, 512))).reshape(-1, 64, 64, 3))  # rows: unknown
print(preprocess_input(img_to_array(load_img("a", target_size=(224, 224)))[None]))  # rows: one
print(np.array([x]))  # rows: one
print(np.array([x, x]))  # rows: unknown
print(tf.constant([[1.0, 2.0]]))  # rows: one
print(np.stack([x]))  # rows: one
print(pad_sequences([x], maxlen=n))  # rows: one
print(one / 255.0)  # rows: one
print(1 - one)  # rows: one
print(one - np.mean(x))  # rows: one
print(one - x)  # rows: unknown
print(-one)  # rows: one
print(np.zeros((1, n)))  # rows: one
print(np.zeros((n, 1)))  # rows: unknown
print(np.random.rand(1, 100))  # rows: one
print(np.random.normal(size=(1, 100)))  # rows: one
print(tf.random.normal([1, noise]))  # rows: one
print(tf.random.normal([16, noise]))  # rows: unknown
print(tf.cast(one, tf.float32))  # rows: one
print(np.append(one, y, axis=1))  # rows: one
print(np.append(one, y, axis=0))  # rows: unknown
print(np.concatenate((one, one), axis=-1))  # rows: one
print(np.concatenate([one, x[None]], 1))  # rows: one
print(np.concatenate([one, one]))  # rows: unknown
print(np.roll(one, -1, axis=1))  # rows: one
print(np.clip(one, 0, 1))  # rows: one
print(one.clip(0, 1))  # rows: one
print(np.flip(one, axis=2))  # rows: one
print(np.flip(one, 1))  # rows: one
print(one.transpose(0, 3, 1, 2))  # rows: one
print(np.transpose(x, (2, 0, 1))[None])  # rows: one
print(np.transpose(one, (0, 3, 1, 2)))  # rows: one
print(np.transpose(one))  # rows: unknown
print(np.repeat(one, 3, axis=-1))  # rows: one
print(np.repeat(one, 3, axis=0))  # rows: unknown
print(np.broadcast_to(x, (1, 28, 28)))  # rows: one
print(np.pad(one, ((0, 0), (2, 2), (2, 2), (0, 0))))  # rows: one
print(np.atleast_2d([1.0, 2.0]))  # rows: one
print(np.atleast_2d(x))  # rows: one
print(np.ascontiguousarray(one))  # rows: one
print(tf.image.resize(one, (224, 224)))  # rows: one
print(tf.image.resize(x, (224, 224)))  # rows: unknown
print(tf.math.divide(one, 255.0))  # rows: one
print(tf.expand_dims(tf.image.resize(x, [h, w]), 0))  # rows: one
print(tf.tile(one, [1, 1, 1, 3]))  # rows: one
print(np.squeeze(one))  # rows: unknown
print(one if x else x[None])  # rows: one
print(one if x else x)  # rows: unknown

changed = np.zeros((1, 4))
changed /= 255
print(changed)  # rows: one
for step in range(10):
    changed = np.append(changed[:, 1:], y, axis=1)
    print(changed)  # rows: one


def load(path):
    return np.expand_dims(np.load(path), 0)


print(load("a"))  # rows: one
image = tf.cast(tf.image.resize(cv2.cvtColor(frame, cv2.COLOR_BGR2RGB), size=args.size), tf.float32)
image /= 255.0
print(tf.expand_dims(image, axis=0))  # rows: one
env = gym.make(name)
print(np.reshape(x, [1, env.observation_space.shape[0]]))  # rows: one
picture = np.array(Image.open(path).convert("RGB").resize((n, n))) / 255.0
print(picture)  # rows: unknown
print(np.expand_dims(picture, 0))  # rows: one
