import tensorflow as tf

x = tf.Variable(3.0)
with tf.GradientTape(persistent=True) as tape:
    y = x * x
    z = y * y
print(tape.gradient(z, x), tape.gradient(y, x))


def per_variable(loss_of, variables):
    with tf.GradientTape(persistent=True) as tape:
        loss = loss_of(variables)
    return [tape.gradient(loss, v) for v in variables]


def per_part(parts, x):
    with tf.GradientTape(persistent=True) as tape:
        losses = [part(x) for part in parts]
    for loss, part in zip(losses, parts):
        part.apply(tape.gradient(loss, part.variables))


def two_ifs(x, a, b):
    with tf.GradientTape(persistent=True) as tape:
        y = model(x)
    if a:
        first(tape.gradient(y, x))
    if b:
        second(tape.jacobian(y, x))


def branch_and_after(x, a):
    with tf.GradientTape(persistent=True) as tape:
        y = model(x)
    if a:
        first(tape.gradient(y, x))
    else:
        pass
    return tape.gradient(y, x)


def tested(x):
    with tf.GradientTape(persistent=True) as tape:
        y = model(x)
    if tape.gradient(y, x) is None:
        return tape.jacobian(y, x)


def later(x):
    with tf.GradientTape(persistent=True) as tape:
        y = model(x)

    def gradient(v):
        return tape.gradient(y, v)

    return gradient
