import tensorflow as tf  # <- here not "imported by others"


def train(model):
    for x in 1, 2:  # <- here not "neither on an import"
        print(x)
