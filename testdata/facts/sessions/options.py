# The options that a ConfigProto has where print takes it: those with a question mark may have another
# value, and more may be set of one that is open.
import tensorflow.compat.v1 as tf

from elsewhere import prepare

config = tf.ConfigProto(log_device_placement=True)
print(config)  # options: log_device_placement=True
config.gpu_options.allow_growth = True
print(config)  # options: gpu_options.allow_growth=True, log_device_placement=True
if input():
    config.gpu_options.per_process_gpu_memory_fraction = 0.5
print(config)  # options: gpu_options.allow_growth=True, gpu_options.per_process_gpu_memory_fraction=0.5?, log_device_placement=True

options = tf.GPUOptions(visible_device_list="0")
nested = tf.ConfigProto(gpu_options=options)
print(nested)  # options: gpu_options.visible_device_list="0", gpu_options=options


def made(fraction):
    return tf.ConfigProto(gpu_options=tf.GPUOptions(per_process_gpu_memory_fraction=fraction))


print(made(0.3))  # options: gpu_options.per_process_gpu_memory_fraction=0.3, gpu_options=tf.GPUOptions(per_process_gpu_memory_fraction=fraction)

handed = tf.ConfigProto()
prepare(handed)
print(handed)  # options: open
print(prepare())  # options: open
