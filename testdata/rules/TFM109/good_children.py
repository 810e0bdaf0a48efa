import os, subprocess
import tensorflow as tf

gpus = tf.config.list_physical_devices("GPU")
for i, _ in enumerate(gpus):
    os.environ["CUDA_VISIBLE_DEVICES"] = str(i)
    subprocess.Popen(["python", "train.py"])
