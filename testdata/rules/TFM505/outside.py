import tensorflow as tf

losses = []
loss_fn = tf.keras.losses.MeanSquaredError()
model = tf.keras.Sequential([tf.keras.layers.Dense(1)])


@tf.function
def train_step(x, y):
    loss = tf.reduce_mean(x)
    losses.append(loss)  # want "information: losses gets one item each time train_step is traced, not each time it is called, and that is a symbolic tensor without a value, which keeps the trace's graph alive: return it and append what the call returns."
    losses.append(x)  # want "losses gets one item each time train_step"
    losses.append(x * 2)  # want "losses"
    losses.extend([])
    losses.append(loss_fn(y, model(x)))  # want "losses"
    log(model(x))
    if x > 0: losses.append(tf.square(x))  # want "losses"


def log(value):
    losses.append(value)  # want "losses gets one item each time log is traced"


def train(batches):
    outputs = list()

    @tf.function(jit_compile=True)
    def step(x):
        y = model(x)
        outputs.append(y)  # want "outputs gets one item each time step is traced"
        return y

    for batch in batches:
        step(batch)
    return outputs


for x in batches:
    train_step(x, x)
train(batches)


def plain(x):
    losses.append(tf.square(x))  # want "each time plain is traced"


fast = tf.function(plain)
fast(1.0)
