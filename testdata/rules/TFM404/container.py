import tensorflow as tf

tapes = []
history = {}
for step, x in enumerate(batches):
    with tf.GradientTape(persistent=True) as tape:
        a = model(x)
        b = critic(a)
    update(tape.gradient(a, model.weights), tape.gradient(b, critic.weights))
    tapes.append(tape)  # want "persistent tape tape is kept in tapes, which is never emptied"

for step, x in enumerate(batches):
    with tf.GradientTape() as tape:
        a = model(x)
    history[step] = (a, tape)  # want "tape tape is kept in history and never asked"
    with tf.GradientTape() as other:
        a = model(x)
    history[step] = other  # want "tape other is kept in history and never asked"


class Trainer:
    def __init__(self):
        self.tapes = []

    def step(self, x):
        with tf.GradientTape(persistent=True) as tape:
            loss = self.model(x)
        self.tapes.append((loss, tape))  # want "kept in self.tapes, which is never emptied"
        return tape.gradient(loss, x), tape.gradient(loss, self.model.weights)


def local(batches):
    kept = []
    for x in batches:
        with tf.GradientTape() as tape:
            loss = model(x)
        kept.append(tape)  # want "kept in kept and never asked"
    print(len(kept))
