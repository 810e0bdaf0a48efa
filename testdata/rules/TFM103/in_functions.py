import tensorflow as tf


def report():
    print("GPU:", tf.test.gpu_device_name())


def configure():
    for gpu in tf.config.list_physical_devices("GPU"):
        tf.config.experimental.set_memory_growth(gpu, True)  # want "Memory growth is set too late to have an effect\. tf\.test\.gpu_device_name\(\) on line 5 has already created the GPU's allocator without growth\. TensorFlow accepts this call without an error, and still reserves nearly all free memory\.$"


def main():
    report()
    configure()


if __name__ == "__main__":
    main()
