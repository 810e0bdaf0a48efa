import numpy as np
import tensorflow as tf

SIDE = 224


def make(count=5000):
    images = np.random.rand(count, SIDE, SIDE, 3).astype(np.float32)
    labels = np.zeros((count,), dtype=np.int32)
    return (
        tf.data.Dataset.from_tensor_slices(  # want "from_tensor_slices\(\) copies its arrays whole to the GPU: 2\.80 GiB\."
            (images, labels)
        )
        # in batches

        .batch(8)
    )


train = make()
everything = tf.data.Dataset.from_tensors(np.zeros((300, 800, 800, 3)))  # want "from_tensors\(\) copies its arrays whole to the GPU: 4\.29 GiB\."
print(build(), tf.data.Dataset.from_tensor_slices(np.ones((300, 800, 800, 3), np.uint8)))  # want "549 MiB"
