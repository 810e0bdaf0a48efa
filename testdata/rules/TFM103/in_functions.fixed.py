import tensorflow as tf


def report():
    print("GPU:", tf.test.gpu_device_name())


def configure():
    for gpu in tf.config.list_physical_devices("GPU"):
        tf.config.experimental.set_memory_growth(gpu, True)  # want "tf.test.gpu_device_name\(\) on line 5 has already made"


def main():
    configure()

    report()


if __name__ == "__main__":
    main()
