import tensorflow as tf


def run(model, batches, dataset):
    out, other = [], {}
    for x in batches:
        out.append(model(x))
    for x in dataset:
        other["a"].append(net(x))
        out.append(model(x)
    return out
