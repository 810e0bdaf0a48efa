import tensorflow as tf  # <- here not "other files import this one; set the variable in the script that is run"


def train(model):
    for x in 1, 2:  # <- here not "neither an import"
        print(x)
