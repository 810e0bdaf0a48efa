import tensorflow as tf
import torch.multiprocessing as mp
from multiprocessing.dummy import Pool
from ray.util.multiprocessing import Pool as RayPool
from mylib import Process


def work(x=1):
    return tf.ones(x)


def start(multiprocessing):
    multiprocessing.Process(target=work).start()


tf.zeros(1)
mp.Process(target=work).start()
Pool(4).map(work, [1, 2])
RayPool(4).map(work, [1, 2])
Process(target=work).start()
