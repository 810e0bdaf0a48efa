# The example is kept on self, comes from a function of the program, or is scaled by arrays.
import gym
import numpy as np
import tensorflow as tf
from tensorflow import keras
from tensorflow.keras.models import Model


class Agent:
    def __init__(self, env):
        self.env = env
        self.state = env.reset()
        self.model = keras.Sequential([keras.layers.Dense(2)])

    def act(self):
        return np.argmax(self.model.predict_on_batch(np.expand_dims(self.state, 0))[0])  # want "single example in every loop iteration"

    def advance(self, action):
        self.state, reward, done, info = self.env.step(action)
        return done

    def play(self):
        done = False
        while not done:
            done = self.advance(self.act())


class Other:
    def __init__(self, env):
        self.env = env
        self.model = keras.Sequential([keras.layers.Dense(2)])

    def step(self, action):
        state, reward, done, info = self.env.step(action)
        return state, done

    def choose(self, state):
        return np.argmax(self.model.predict_on_batch(np.expand_dims(state, 0))[0])  # want "single example in every loop iteration"

    def play(self):
        state = self.env.reset()
        done = False
        while not done:
            state, done = self.step(self.choose(state))


def load(path):
    image = keras.utils.img_to_array(keras.utils.load_img(path))
    return np.expand_dims(image, axis=0)


model = keras.models.load_model("m")
for a, b in pairs:
    x1 = load(a)
    x2 = load(b)
    print(model.predict_on_batch([x1, x2]))  # want "single example in every loop iteration"
for a, b in pairs:
    x1 = keras.utils.img_to_array(a)[None] / 255.0
    x2 = np.reshape(b, (1, 64, 64, 3))
    print(model.predict_on_batch([x1, x2]))  # want "single example in every loop iteration"
for a in paths:
    x = load(a)
    print(model.predict_on_batch(x)[-1])  # want "single example in every loop iteration"


def classify(model: Model, path: str):
    return model.predict_on_batch(load(path))  # want "single example in every loop iteration"


for path in paths:
    classify(model, path)


def siamese(model: "keras.Model", one, two):
    one = np.expand_dims(one, axis=0)
    two = np.expand_dims(two, axis=0)
    return model.predict_on_batch([one, two])[0][0]  # want "single example in every loop iteration"


def compare(folder, model: keras.Model):
    for a in folder:
        for b in folder:
            siamese(model, a, b)


class Pred:
    model: keras.Model

    def __init__(self, model: keras.Model):
        self.model = model

    def one(self, image):
        return self.model.predict_on_batch(tf.expand_dims(image, 0))  # want "single example in every loop iteration"

    def all(self, images):
        return [self.one(i) for i in images]


env = gym.make("CartPole-v1")
Agent(env).play()
Other(env).play()


class Late:
    def __init__(self, env):
        self.env = env
        self.model = keras.Sequential([keras.layers.Dense(2)])

    def reset(self):
        self.state = np.reshape(self.env.reset(), (1, 4))

    def run(self):
        self.reset()
        while True:
            q = self.model.predict_on_batch(self.state)  # want "single example in every loop iteration"
            state, r, d, _ = self.env.step(np.argmax(q[0]))
            self.state = np.reshape(state, (1, 4))


class DDPG:
    def __init__(self, env):
        self.env = env
        self.low, self.high = env.observation_space.low, env.observation_space.high
        self.actor = keras.Sequential([keras.layers.Dense(1)])

    def take_action(self, state):
        return self.actor.predict_on_batch(state).ravel()[0]  # want "single example in every loop iteration"

    def train(self):
        for episode in range(1000):
            state = np.array(self.env.reset()).reshape(1, 4)
            state = (state - self.low) / (self.high - self.low)
            for t in range(100):
                temp = self.env.step([self.take_action(state)])
                state = np.array(temp[0]).reshape(1, 4)
Late(env).run()
DDPG(env).train()
