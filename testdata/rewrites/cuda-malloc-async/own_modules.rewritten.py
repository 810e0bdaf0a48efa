"""A module of the project may import TensorFlow."""
import os

os.environ["TF_GPU_ALLOCATOR"] = "cuda_malloc_async"

from models import build
import tensorflow as tf

os.environ["TF_CPP_MIN_LOG_LEVEL"] = "2"

if __name__ == "__main__":
    for x, y in data:
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean(build(x) - y)
        optimizer.apply_gradients(zip(tape.gradient(loss, variables), variables))  # <- here
