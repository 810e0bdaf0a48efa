# Workers whose initializer loads the model that each task uses.
import multiprocessing
from concurrent.futures import ProcessPoolExecutor

from data import paths, save

model = None


def prepare():
    global model
    import tensorflow as tf

    model = tf.keras.models.load_model("model.keras")


def answer(path):
    return model(path)


def tasks():
    pool = multiprocessing.Pool(processes=8, initializer=prepare)  # want "multiprocessing\.Pool\(\) starts 8 processes\. Each uses TensorFlow \(prepare, on line 14\)"
    for result in pool.imap(answer, paths):
        save(result)


def futures():
    with ProcessPoolExecutor(4, initializer=prepare) as pool:  # want "ProcessPoolExecutor\(\) starts 4 processes\. Each uses TensorFlow \(prepare, on line 14\)"
        for result in pool.map(answer, paths):
            save(result)


def one():
    with multiprocessing.Pool(1, initializer=prepare) as pool:
        return pool.map(answer, paths)


if __name__ == "__main__":
    tasks()
    futures()
    one()
