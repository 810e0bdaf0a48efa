"""Scores images in several processes."""
import multiprocessing
from concurrent.futures import ProcessPoolExecutor

import tensorflow as tf

model = tf.keras.applications.MobileNetV2()


def score(path):
    return model.predict(read(path))


def main(paths):
    with ProcessPoolExecutor(max_workers=4, mp_context=multiprocessing.get_context("spawn")) as executor:  # want "tf.keras.applications.MobileNetV2\(\) on line 6"
        print(list(executor.map(score, paths)))


if __name__ == "__main__":
    main(PATHS)
