# no python: TensorFlow may not be there
import os, sys
import numpy as np
import tensorflow as tf
import tensorflow.keras.layers as L
from tensorflow.keras import layers, models as m
from utils import helper, WIDTH
from .config import SIZE
from common import *

a = np.prod((2, 3, 4))  # value: 24
b = int(np.sqrt(16)) + int(np.ceil(1.5)) + int(np.log2(8))  # value: 9
c = np.float32(0.5) * np.int64(4)  # value: 2.0
d = helper(3)  # unknown: utils.helper\(\) is not in this program
e = WIDTH * 2  # unknown: utils.WIDTH is not in this program
f = SIZE + 1  # unknown: .config.SIZE is not in this program
g = from_common + 1  # unknown: from_common is not defined in this program
h = tf.unknown_function(3)  # unknown: tensorflow.unknown_function
i = layers.Dense is L.Dense and layers is L  # value: True
j = np.array([1])[0]  # unknown: numpy.array
k = sys.argv[1]  # unknown: the command line
l = os.environ["HOME"]  # unknown: the environment variable HOME
os.environ["CUDA_VISIBLE_DEVICES"] = "0"
n = os.environ["CUDA_VISIBLE_DEVICES"]  # value: '0' # hard
o = np.pi  # value: 3.141592653589793
p = np.random.randint(3)  # unknown: numpy.random.randint
items = [1, 2, 3]
np.random.shuffle(items)
q = len(items)  # value: 3
r = items[0]  # unknown: shuffle
try:
    import fast_json as json
except ImportError:
    json = None
s = json is None  # unknown: fast_json
t = WIDTH == 3  # unknown: utils.WIDTH
u = tf.nn.relu is None  # value: False
v = np.prod([2.0, 3])  # value: 6.0
w = np.max([3, 1]) + np.min([2, 5])  # value: 5
w2 = [bool(f(float("inf"))) for f in (np.isinf, np.isnan, np.isfinite)]  # value: [True, False, False]
w3 = np.zeros(mystery_count)  # unknown: mystery_count
dotted = getattr(os, "path.join", 3)  # value: 3
