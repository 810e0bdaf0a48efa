# What values may be, and the types of the items of arrays and tensors.
import collections
import random

import gymnasium
import numpy as np
import tensorflow as tf
from tensorflow import keras

NAMES = ["a", "b"]
SHAPE = (224, 224)
print(3)  # kinds: int
print(True)  # kinds: int
print(-0.5)  # kinds: float
print(3 / 2)  # kinds: float
print(7 // 2)  # kinds: int
print("a")  # kinds: text
print(None)  # kinds: none
print(NAMES)  # kinds: list
print(NAMES[:1])  # kinds: list
print(NAMES + [1])  # kinds: list
print(NAMES[input()])  # kinds: unknown
print([n for n in NAMES])  # kinds: list
print(SHAPE)  # kinds: container
print({"a": 1})  # kinds: container
print(collections.defaultdict(list))  # kinds: container
print(len(NAMES))  # kinds: int
print(float("1"))  # kinds: float
print(random.random())  # kinds: float
print(random.randint(1, 2))  # kinds: int
print(unknown)  # kinds: unknown
print(1 if input() else None)  # kinds: int, none

tensor = tf.zeros((2, 3))
print(tensor)  # kinds: tensor
# dtype: float32
print(tensor * 2)  # kinds: tensor
print(-tensor[0, :1])  # kinds: tensor
print(unknown + tensor)  # kinds: tensor
print(tensor.shape)  # kinds: container
print(tensor.numpy())  # kinds: array
print(tf.cast(tensor, tf.float64))  # kinds: tensor
# dtype: float64
print(tf.split(tensor, 2))  # kinds: unknown
print(tf.Variable(1.0))  # kinds: tensor
for row in tensor:
    print(row)  # kinds: tensor
for i in range(3):
    print(i)  # kinds: int
for i, name in enumerate(NAMES):
    print(i)  # kinds: int

array = np.zeros((2, 3))
print(array)  # kinds: array
# dtype: float64
print(array / 255)  # kinds: array
# dtype: float64
print(array.astype("float32") + 1)  # kinds: array
# dtype: float32
print(array.reshape(3, 2).T)  # kinds: array
# dtype: float64
print(array.tolist())  # kinds: list
print(np.random.rand())  # kinds: float
print(np.random.rand(3, 4))  # kinds: array
# dtype: float64
print(np.array([1, 2]))  # kinds: array
# dtype: int64
print(np.array([-2, 1.0], dtype=float)[random.choice(range(2))])  # kinds: array
# dtype: float64
print(np.array(unknown))  # kinds: array
# dtype: unknown
print(np.array(unknown, dtype=np.float32))  # kinds: array
# dtype: float32
print(array if input() else array.astype(np.float32))  # kinds: array
# dtype: unknown
print(unknown.astype("float32"))  # kinds: array
# dtype: unknown

(images, labels), _ = keras.datasets.mnist.load_data()
print(images)  # kinds: array

model = keras.Sequential([keras.layers.Dense(1)])
print(model)  # kinds: model
print(model(tensor))  # kinds: tensor
print(keras.models.load_model("m"))  # kinds: model
print(keras.optimizers.Adam())  # kinds: optimizer
print(keras.losses.MeanSquaredError())  # kinds: model
data = tf.data.Dataset.range(3)
print(data.batch(2))  # kinds: dataset

env = gymnasium.make("CartPole-v1")
state, reward, done, truncated, _ = env.step(1)
print(state)  # kinds: unknown
print(reward)  # kinds: int, float


class Net(keras.Model):
    def call(self, x):
        return tf.square(x)


net = Net()
print(net)  # kinds: model
print(net(1))  # kinds: tensor


def two(x):
    return x, tf.square(x)


print(two(3)[1])  # kinds: tensor
a, b = two(3)
print(a)  # kinds: int


def given(x, count=2, *, size: int):
    print(x)  # kinds: from caller
    print(count)  # kinds: unknown
    print(size)  # kinds: unknown


def called(x):
    print(x)  # kinds: tensor, int


called(3)
called(tensor)

total = 0
for i in range(3):
    total = total + tensor
print(total)  # kinds: tensor, int
rate = 1
while rate < 10:
    rate *= 1.5
print(rate)  # kinds: int, float
left, right = 1, tensor
for i in range(3):
    left, right = right, left
print(left)  # kinds: tensor, int


class Log:
    def __init__(self):
        self.values = []
        self.count = 0


def given(log, other):
    print(log.values)  # kinds: list
    print(log.count)  # kinds: int
    print(log.missing)  # kinds: unknown
    print(other.values)  # kinds: unknown


given(Log(), Log())
given(Log(), input())

from sklearn.model_selection import KFold

folds = KFold(5)
for fold, (train, test) in enumerate(folds.split(images)):
    print(fold)  # kinds: int
    print(train)  # kinds: array
for train, test in folds.split(images):
    print(test)  # kinds: array
for first, second in zip(folds.split(images), images):
    print(first)  # kinds: unknown
