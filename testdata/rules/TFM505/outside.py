import tensorflow as tf

losses = []
loss_fn = tf.keras.losses.MeanSquaredError()
model = tf.keras.Sequential([tf.keras.layers.Dense(1)])


@tf.function
def train_step(x, y):
    loss = tf.reduce_mean(x)
    losses.append(loss)  # want "information: losses gets one item per trace of train_step, not one per call\. The item is a symbolic tensor without a value, and keeps the trace's graph alive\. Return it and append what the call returns\.$"
    losses.append(x)  # want "losses gets one item per trace of train_step, not one per call\."
    losses.append(x * 2)  # want "losses"
    losses.extend([])
    losses.append(loss_fn(y, model(x)))  # want "losses"
    log(model(x))
    if x > 0: losses.append(tf.square(x))  # want "losses"


def log(value):
    losses.append(value)  # want "losses gets one item per trace of log, not one per call\."


def train(batches):
    outputs = list()

    @tf.function(jit_compile=True)
    def step(x):
        y = model(x)
        outputs.append(y)  # want "outputs gets one item per trace of step, not one per call\."
        return y

    for batch in batches:
        step(batch)
    return outputs


for x in batches:
    train_step(x, x)
train(batches)


def plain(x):
    losses.append(tf.square(x))  # want "losses gets one item per trace of plain, not one per call\."


fast = tf.function(plain)
fast(1.0)
