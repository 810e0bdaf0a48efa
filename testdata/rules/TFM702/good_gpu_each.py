import os
from multiprocessing import Process


def train(gpu):
    os.environ["CUDA_VISIBLE_DEVICES"] = str(gpu)
    import tensorflow as tf

    tf.keras.models.load_model("model.keras").fit(load(gpu))


if __name__ == "__main__":
    workers = [Process(target=train, args=(gpu,)) for gpu in range(4)]
    for worker in workers:
        worker.start()
