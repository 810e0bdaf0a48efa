import tensorflow as tf


class Counter:
    def fit(self, data):
        for row in data:
            print(row)


Counter().fit(tf.data.Dataset.from_tensor_slices([1, 2, 3]))
