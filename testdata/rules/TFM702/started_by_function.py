import multiprocessing

import tensorflow as tf


class Worker(multiprocessing.Process):
    def run(self):
        tf.keras.models.load_model("model").predict(self.data)


def start(data):
    worker = Worker()  # want "These processes share the GPU without a memory limit\. Each iteration of the loop on line 19 starts another process\. Each uses TensorFlow \(Worker\.run, on line 8\) and reserves nearly all free memory of every visible GPU, so the first leaves none to the others\. Set a memory limit in each worker\.$"
    worker.data = data
    worker.start()
    return worker


if __name__ == "__main__":
    workers = [start(part) for part in parts]
    for worker in workers:
        worker.join()
