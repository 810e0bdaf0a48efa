import multiprocessing

import tensorflow as tf


def train(fold):
    model = tf.keras.applications.ResNet50(weights=None)
    model.compile("sgd", "mse")
    model.fit(load_images(fold))


def evaluate(fold):
    tf.keras.models.load_model("model.keras").evaluate(load_images(fold))


if __name__ == "__main__":
    if tf.config.list_physical_devices("GPU"):
        multiprocessing.Process(target=train, args=(1,)).start()
    multiprocessing.Process(target=evaluate, args=(1,)).start()  # want "warning: These processes share the GPU without a memory limit\. multiprocessing\.Process\(\) starts a process while the one from line 18\ is running. Each uses TensorFlow \(evaluate, on line 13\) and reserves nearly all free memory of every visible GPU, so the first leaves none to the others\. Set a memory limit in each worker\.$"
