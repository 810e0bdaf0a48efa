# A whole GPU each, no GPU, one task at a time, one actor, a limit that the task sets (ray-project/ray#6633).
import ray
import tensorflow as tf


@ray.remote(num_gpus=1)
def whole(i):
    return tf.keras.applications.ResNet50()(tf.zeros([1, 224, 224, 3]))


@ray.remote
def unknown(i):
    return tf.keras.applications.ResNet50()(tf.zeros([1, 224, 224, 3]))


@ray.remote(num_gpus=0.5)
def half(i):
    return tf.keras.applications.ResNet50()(tf.zeros([1, 224, 224, 3]))


@ray.remote(num_gpus=0.5)
class Single:
    def run(self):
        return tf.keras.applications.ResNet50()


ray.get([whole.remote(i) for i in range(4)])
ray.get([unknown.remote(i) for i in range(4)])
for i in range(4):
    print(ray.get(half.remote(i)))
single = Single.remote()
single.run.remote()
remote = whole.options(num_gpus=0.75)
