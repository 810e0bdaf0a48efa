import tensorflow as tf

tape = None


def forward(x):
    global tape
    with tf.GradientTape(persistent=True) as tape:  # want "bound to a global name"
        return model(x)


def backward(y, x):
    return tape.gradient(y, x), tape.gradient(y, model.weights)
