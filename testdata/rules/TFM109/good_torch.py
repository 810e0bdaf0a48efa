import os
import tensorflow as tf
import torch

print(tf.config.list_physical_devices("GPU"))
os.environ["CUDA_VISIBLE_DEVICES"] = "1"
print(torch.cuda.device_count())
