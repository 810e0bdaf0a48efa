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
    actors = [Actor(queue) for _ in range(4)]  # want "Actor\(\) forks this process after TensorFlow has initialised its devices\. tf\.keras\.models\.load_model\(\) on line 18 has initialised them: Actor\.run, which runs in the new process, finds them unusable on line [\d.]+ and fails with CUDA_ERROR_NOT_INITIALIZED or hangs\. Python forks by default on Linux before [\d.]+\. Spawn the process instead\.$"
    for actor in actors:
        actor.start()
    learn(learner, actors)
