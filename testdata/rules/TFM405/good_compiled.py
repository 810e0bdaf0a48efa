import tensorflow as tf

model = tf.keras.applications.ResNet50()
dataset = tf.data.Dataset.from_tensor_slices(images).batch(32)


@tf.function
def compiled(data):
    out = []
    for i in range(0, 64, 32):
        out.append(model(data[i:i + 32]))
    return out


def replica(data):
    out = []
    for i in range(0, 64, 32):
        out.append(model(data[i:i + 32]))
    return out


strategy.run(replica, args=(images,))


def helper(data):
    out = []
    for i in range(0, 64, 32):
        out.append(model(data[i:i + 32]))
    return out


@tf.function
def step(data):
    return helper(data)
