import tensorflow as tf

tape = None


def forward(x):
    global tape
    with tf.GradientTape(persistent=True) as tape:  # want "The persistent tape escapes to a global name and keeps every tensor it recorded\."
        return model(x)


def backward(y, x):
    return tape.gradient(y, x), tape.gradient(y, model.weights)
