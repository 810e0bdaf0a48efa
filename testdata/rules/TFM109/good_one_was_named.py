# device: 24 GiB
import os

os.environ["CUDA_VISIBLE_DEVICES"] = "3"
import tensorflow as tf
