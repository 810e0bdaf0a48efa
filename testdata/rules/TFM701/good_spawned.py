import multiprocessing
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from multiprocessing.pool import ThreadPool

import tensorflow as tf


def work(x=0):
    return tf.square(x)


class Server:
    def __init__(self, context):
        self.own = multiprocessing.get_context("forkserver")
        self.given = context

    def start(self):
        self.own.Process(target=work).start()
        self.given.Process(target=work).start()


if __name__ == "__main__":
    tf.zeros(1)
    context = multiprocessing.get_context("spawn")
    context.Process(target=work).start()
    multiprocessing.get_context(START).Process(target=work).start()
    with ProcessPoolExecutor(2, context) as executor:
        executor.map(work, [1, 2])
    with ProcessPoolExecutor(max_tasks_per_child=1) as executor:
        executor.map(work, [1, 2])
    ProcessPoolExecutor(**OPTIONS).submit(work, 1)
    ThreadPoolExecutor().submit(work, 1)
    ThreadPool(2).map(work, [1, 2])
    Server(context).start()
