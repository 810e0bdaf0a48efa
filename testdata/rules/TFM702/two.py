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
    learner = Process(target=learn)  # want "These processes share the GPU without a memory limit\. Process\(\) starts a process while the one from line 18\ is running. Each uses TensorFlow \(learn, on line 13\) and reserves nearly all free memory of every visible GPU, so the first leaves none to the others\. Set a memory limit in each worker\.$"
    actor.start()
    learner.start()
    actor.join()
    learner.join()
