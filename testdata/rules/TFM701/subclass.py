from multiprocessing import Process

import tensorflow as tf


class Actor(Process):
    def __init__(self, queue):
        super().__init__()
        self.queue = queue

    def run(self):
        model = tf.keras.models.load_model("actor.keras")
        while True:
            self.queue.put(model.predict(observe()))


if __name__ == "__main__":
    learner = tf.keras.models.load_model("learner.keras")
    actors = [Actor(queue) for _ in range(4)]  # want "tf.keras.models.load_model\(\) on line 18 has initialised TensorFlow's devices, and Actor\(\) forks this process .*: Actor.run, which"
    for actor in actors:
        actor.start()
    learn(learner, actors)
