# device: 24 GiB
import multiprocessing


def train(fold):
    import tensorflow as tf

    for gpu in tf.config.list_physical_devices("GPU"):
        tf.config.set_logical_device_configuration(gpu, [tf.config.LogicalDeviceConfiguration(memory_limit=6056)])
    model = tf.keras.applications.ResNet50(weights=None)
    model.compile("sgd", "mse")
    model.fit(load_images(fold))


if __name__ == "__main__":
    with multiprocessing.Pool(3) as pool:  # want "These processes share the GPU without a memory limit\. multiprocessing\.Pool\(\) starts 3 processes\. Each uses TensorFlow \(train, on line [\d.]+\) and reserves nearly all free memory of every visible GPU, so the first leaves none to the others\. Set a memory limit in each worker\. On a GPU of 24 GiB \(named by the case\) that is about memory_limit=6056 for each of 3\.$"
        pool.map(train, range(3))
