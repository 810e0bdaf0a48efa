import tensorflow as tf

tapes = []
history = {}
for step, x in enumerate(batches):
    with tf.GradientTape(persistent=True) as tape:
        a = model(x)
        b = critic(a)
    update(tape.gradient(a, model.weights), tape.gradient(b, critic.weights))
    tapes.append(tape)  # want "The persistent tape escapes to tapes, which is never emptied\."

for step, x in enumerate(batches):
    with tf.GradientTape() as tape:
        a = model(x)
    history[step] = (a, tape)  # want "The tape escapes to history, and no gradient is computed from it\."
    with tf.GradientTape() as other:
        a = model(x)
    history[step] = other  # want "The tape other escapes to history, and no gradient is computed from it\."


class Trainer:
    def __init__(self):
        self.tapes = []

    def step(self, x):
        with tf.GradientTape(persistent=True) as tape:
            loss = self.model(x)
        self.tapes.append((loss, tape))  # want "The persistent tape escapes to self\.tapes, which is never emptied\."
        return tape.gradient(loss, x), tape.gradient(loss, self.model.weights)


def local(batches):
    kept = []
    for x in batches:
        with tf.GradientTape() as tape:
            loss = model(x)
        kept.append(tape)  # want "The tape escapes to kept, and no gradient is computed from it\."
    print(len(kept))
