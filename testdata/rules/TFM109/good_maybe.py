import os, sys
import tensorflow as tf

if "--list" in sys.argv:
    print(tf.config.list_physical_devices("GPU"))
os.environ["CUDA_VISIBLE_DEVICES"] = "1"
