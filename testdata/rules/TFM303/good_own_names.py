import numpy as np


class Dataset:
    @staticmethod
    def from_tensor_slices(x):
        return x


class tf:
    data = Dataset


Dataset.from_tensor_slices(np.zeros((100, 1000, 2000)))
Model().fit(np.zeros((100, 1000, 2000)))
import tensorflow
