import tensorflow as tf


class Cleared:
    def step(self, x):
        with tf.GradientTape(persistent=True) as self.tape:
            a = self.model(x)
        g = self.tape.gradient(a, x), self.tape.gradient(a, self.model.weights)
        self.tape = None
        return g


class Deleted:
    def step(self, x):
        with tf.GradientTape(persistent=True) as self.other_tape:
            a = self.model(x)
        g = self.other_tape.gradient(a, x), self.other_tape.gradient(a, self.model.weights)
        del self.other_tape
        return g


class Recorder:
    """Made to hold what it enters."""

    def __enter__(self):
        self.recorder = tf.GradientTape(persistent=True)
        self.recorder.__enter__()
        return self

    def __exit__(self, *args):
        self.recorder.__exit__(*args)


tapes = []
for x in batches:
    with tf.GradientTape(persistent=True) as tape:
        a = model(x)
    tapes.append(tape)
    if len(tapes) > 3:
        tapes.pop(0)


def forward(x):
    with tf.GradientTape(persistent=True) as tape:
        loss = model(x)
    return loss, tape


def in_a_function(x):
    loss, tape = forward(x)
    a, b = tape.gradient(loss, x), tape.gradient(loss, model.weights)
    log(a, b)
    return a, b


for x in batches:
    loss, t = forward(x)
    da = t.gradient(loss, model.weights), t.gradient(loss, x)
    del t
    update(da)
