# Each task asks Ray for a part of a GPU (ray-project/ray#13680).
import ray
import tensorflow as tf

ray.init()


@ray.remote(num_gpus=0.2)
def score(seed):
    a = tf.random.stateless_normal([2000, 2000], [seed, 0])
    return float(tf.reduce_sum(tf.matmul(a, a)))


futures = [score.remote(i) for i in range(8)]  # want "warning: These processes share the GPU without a memory limit\. Ray runs 5 at a time on one GPU: the part that each asks for, 0\.2, limits no memory\. Each uses TensorFlow \(score, on line 10\) and reserves nearly all free memory of every visible GPU, so the first leaves none to the others\. Set a memory limit in each worker\.$"
print(ray.get(futures))
first = score.options(num_gpus=0.5).remote(1)  # want "Ray runs 2 at a time on one GPU: the part that each asks for, 0\.5, limits"
