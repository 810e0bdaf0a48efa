# machine: 2 x 24 GiB
import os

os.environ["CUDA_VISIBLE_DEVICES"] = "0,1"
os.environ["CUDA_VISIBLE_DEVICES"] = "-1"
os.environ["CUDA_VISIBLE_DEVICES"] = ""
os.environ["CUDA_VISIBLE_DEVICES"] = "GPU-8932f937,7"
os.environ["CUDA_VISIBLE_DEVICES"] = "1,-1,5"
import tensorflow as tf
