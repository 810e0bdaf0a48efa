# Four actors, each with a model and growth, on a quarter of a GPU (ray-project/ray#30209).
# device: 16 GiB
import ray
import tensorflow as tf

PART = 1 / 4


@ray.remote(num_cpus=1, num_gpus=PART)
class Worker:
    def __init__(self, units):
        for gpu in tf.config.list_physical_devices("GPU"):
            tf.config.experimental.set_memory_growth(gpu, True)
        self.model = tf.keras.Sequential([tf.keras.Input((4,)), tf.keras.layers.Dense(units)])

    def step(self, x):
        return self.model(x)


workers = [Worker.remote(8) for _ in range(3)]  # want "information: These processes share the GPU without a memory limit\. Ray runs 3 at a time on one GPU: the part that each asks for, PART, limits no memory\. Each uses TensorFlow \(Worker\.__init__, on line 14\) with memory growth, which limits nothing: what they need adds up on the GPU\. Set a memory limit in each worker\. On .* memory_limit=\d+ for each of 3\.$"
ray.get([w.step.remote([[1.0]]) for w in workers])
