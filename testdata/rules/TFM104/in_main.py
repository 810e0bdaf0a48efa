from absl import app
import tensorflow as tf


def main(_):
    gpu = tf.config.list_physical_devices("GPU")[0]
    try:
        tf.config.experimental.set_memory_growth(gpu, True)  # want "Memory growth is set on tf\.config\.list_physical_devices\(\"GPU\"\)\[0\], and not on the other GPUs\. With several visible GPUs TensorFlow raises ValueError: Memory growth cannot differ between GPU devices\.$"
    except RuntimeError as e:
        print(e)
    print(gpu)


if __name__ == "__main__":
    app.run(main)
