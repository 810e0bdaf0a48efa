# Functions that nothing here calls, and that compute: others may hand them to a dataset,
# or call them in a function that is compiled.
import tensorflow as tf


@tf.function
def targets_of(boxes, size, mask):
    return tf.zeros((tf.shape(boxes)[0], size, size, tf.shape(mask)[0]))


def targets(boxes, masks):
    out = []
    size = 13
    for mask in masks:
        out.append(targets_of(boxes, size, mask))
        size *= 2
    return tuple(out)


class Pyramid:
    @tf.function
    def level(self, image, index):
        return image / 2.0 ** index

    def levels(self, image, n):
        return [image] + [self.level(image, i) for i in range(n)] + self.more(image, n)

    def more(self, image, n):
        out = []
        for i in range(n):
            out.append(self.level(image, i))
        return out
