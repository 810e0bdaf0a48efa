from multiprocessing import get_context

import tensorflow.compat.v1 as tf


def train():
    with tf.Session() as session:
        session.run(build())


def main():
    print(tf.test.gpu_device_name())
    worker = get_context("spawn").Process(target=train)  # want "tf.test.gpu_device_name\(\) on line 12 .* on line 7"
    worker.start()
    worker.join()


if __name__ == "__main__":
    main()
