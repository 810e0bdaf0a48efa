import multiprocessing
import tensorflow as tf


def work():
    tf.ones(1)


def main():
    x = tf.zeros(1)
    multiprocessing.Process(target=work).start(); print("started")  # want "tf.zeros\(\) on line 10"
    multiprocessing.Process(*arguments)
    multiprocessing.Process(**{"target": work})


main()


def later():
    multiprocessing.Process(target=
