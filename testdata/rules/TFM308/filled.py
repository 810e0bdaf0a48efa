# An array that is made for one example and filled, and a helper that adds the axis where it is missing.
import gym
import numpy as np
import tensorflow as tf
from tensorflow import keras

model = keras.models.load_model("model.keras")
generator = keras.models.load_model("g.keras")
sentence = "start"
for i in range(400):
    x = np.zeros((1, 40, 60))
    for t, char in enumerate(sentence):
        x[0, t, index[char]] = 1
    sentence = sentence[1:] + letter(model.predict(x, verbose=0)[0])  # want "single example in every loop iteration"
frame = np.empty((1, 224, 224, 3), "float32")
while True:
    frame[0] = camera.read()
    show(model.predict(frame))  # want "single example in every loop iteration"


def predict(text):
    x = np.zeros(shape=(1, 40))
    x[0, :len(text)] = text
    return model.predict(x)  # want "single example in every loop iteration"


for text in texts:
    predict(text)
for i in range(1000):
    noise = np.random.normal(0, 1, (1, 100))
    save(generator.predict(noise))  # want "single example in every loop iteration"
    noise = np.random.rand(1, 100)
    save(generator.predict(noise))  # want "single example in every loop iteration"
fixed = np.zeros((1, 100))
for i in range(1000):
    generator.predict(fixed)


class Agent:
    def __init__(self):
        self.shape = (4,)
        self.model = keras.Sequential([keras.layers.Dense(2)])

    def reshape(self, x):
        if len(x.shape) < 4 and len(self.shape) > 2:
            return np.expand_dims(x, axis=0)
        elif len(x.shape) < 2:
            return np.expand_dims(x, axis=0)
        else:
            return x

    def predict(self, inp):
        return self.model.predict(self.reshape(inp))  # want "single example in every loop iteration"

    def act(self, s):
        return np.random.choice(np.arange(4), 1, p=self.predict(s).ravel())[0]

    def train(self, env):
        for e in range(1000):
            old = env.reset()
            done = False
            while not done:
                new, r, done, _ = env.step(self.act(old))
                old = new


Agent().train(gym.make("CartPole-v1"))
