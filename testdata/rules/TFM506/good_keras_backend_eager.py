# Eagerly, these functions compute at once.
import numpy as np
from tensorflow.keras import backend as K

for i in range(1000):
    print(K.eval(K.mean(K.constant(np.random.rand(8)))))
    print(K.get_value(K.sqrt(2.0)))
