import os
os.environ["CUDA_VISIBLE_DEVICES"] = "1"  # want "warning: Setting CUDA_VISIBLE_DEVICES here has no effect\. tf\.config\.list_physical_devices\(\) on line 4 has already made CUDA list its devices: TensorFlow uses the GPUs that were visible then\.$"

import tensorflow as tf

gpus = tf.config.list_physical_devices("GPU")
print(gpus)
