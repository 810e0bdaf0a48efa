# Results that are used, and methods that return no dataset, or belong to something else.
import pandas as pd
import tensorflow as tf

train = tf.data.Dataset.from_tensor_slices((images, labels)).shuffle(1000)
train = train.batch(32)
train.save("cached")
train.element_spec
train.cardinality()
train.as_numpy_iterator()
print(train.take(1))
for batch in train.take(2):
    show(batch)
steps = [train.prefetch(1)]


def batches():
    return train.prefetch(1)


table = pd.read_csv("table.csv")
table.filter(["age"])
names = ["a", "b"]
unknown.map(scale)


class Mapper:
    def map(self, function):
        function(self)


Mapper().map(print)
