import multiprocessing

import tensorflow as tf


class Worker(multiprocessing.Process):
    def run(self):
        tf.keras.models.load_model("model").predict(self.data)


def start(data):
    worker = Worker()  # want "Each turn of the loop on line 19 starts another process: each uses TensorFlow \(Worker.run, on line 8\)"
    worker.data = data
    worker.start()
    return worker


if __name__ == "__main__":
    workers = [start(part) for part in parts]
    for worker in workers:
        worker.join()
