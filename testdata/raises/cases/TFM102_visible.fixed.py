# rule: TFM102
# raises: RuntimeError: Visible devices cannot be modified after being initialized
# gpus: 1
import tensorflow as tf

tf.config.set_visible_devices([], "GPU")

print(tf.config.list_logical_devices("CPU"))
print(tf.constant(1) + 1)
