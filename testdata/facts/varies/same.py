# What means the same in every iteration of the loop around a line.
import functools

import tensorflow as tf

layers = [tf.keras.layers.Dense(1)]
rate = 0.1
for i in range(10):
    print(layers)  # same: yes
    print([layers[0], rate * 2])  # same: yes
    print(layers[i])  # same: no
    print(tf.keras.layers.Dense(1))  # same: no
    print(layers[0].get_layer("a"))  # same: yes
    print(len)  # same: yes
    print(lambda x: x * rate)  # same: yes
    print(lambda x: x * i)  # same: no
    print(lambda x: tf.zeros(x))  # same: yes
    print([x for x in layers])  # same: no
    few = 3
    print(few)  # same: yes
    new = tf.zeros(few)
    print(new)  # same: no


def outer(x):
    return inner(x)


def inner(x):
    return outer(x) * rate


def reads_i(x):
    return x * i


def make(model, size=4, *more, **options):
    print(model)  # same: yes
    print(size)  # same: yes
    print(more)  # same: yes
    print(more[0])  # same: yes
    print(options)  # same: no
    own = tf.zeros(1)

    def step(x):
        return model(x) * own

    def other(x):
        return model(x)

    print(step)  # same: no
    print(other)  # same: yes


for i in range(10):
    print(outer)  # same: yes
    make(layers, 4, layers)

    def defined(x):
        return x

    print(defined)  # same: no


class Trainer:
    def __init__(self, model):
        self.model = model
        self.step = 0

    def loss(self, x):
        return self.model(x)

    def count(self, x):
        return self.step

    def fit(self):
        print(self.model)  # same: yes
        print(self.step)  # same: no
        print(self.loss)  # same: yes
        print(self.count)  # same: no
        self.step += 1


trainer = Trainer(layers[0])
for i in range(10):
    trainer.fit()
    print(trainer.model)  # same: yes
    print(Trainer(layers[0]).model)  # same: no
