import keras
import tensorflow as tf


class Critic(keras.Model):
    def __init__(self):
        super().__init__()
        self.turn = 0

    def train_step(self, data):
        self.turn += 1
        if self.turn % 5 == 0:
            self.update_generator(data)
        return {"loss": self.update_critic(data)}


model = Critic()
model.compile("adam", run_eagerly=True)
model.fit(data)
