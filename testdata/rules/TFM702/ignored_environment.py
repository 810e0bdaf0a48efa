import multiprocessing
import os

os.environ["TF_FORCE_GPU_ALLOW_GROWTH"] = "1"


def train(fold):
    import tensorflow as tf

    model = tf.keras.applications.ResNet50(weights=None)
    model.compile("sgd", "mse")
    model.fit(load_images(fold))


if __name__ == "__main__":
    workers = [multiprocessing.Process(target=train, args=(fold,)) for fold in range(3)]  # want "warning: .*reserves nearly all free memory"
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
