from multiprocessing import Process

import tensorflow as tf


def play():
    model = tf.keras.models.load_model("actor")
    while True:
        send(model.predict(receive()))


def learn():
    model = tf.keras.models.load_model("learner")
    model.fit(receive())


if __name__ == "__main__":
    actor = Process(target=play)
    learner = Process(target=learn)  # want "Process\(\) starts a process beside that of line 18: each uses TensorFlow \(learn, on line 13\)"
    actor.start()
    learner.start()
    actor.join()
    learner.join()
