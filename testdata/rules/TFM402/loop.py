"""In a loop, one gradient a turn; the del is of no use then, and left alone."""
from tensorflow import GradientTape


def train(model, optimizer, batches):
    for x, y in batches:
        with GradientTape(True) as t:  # want "Only one gradient is computed from the tape t, so persistent=True is unnecessary\."
            loss = loss_fn(y, model(x))
        optimizer.apply_gradients(zip(t.gradient(loss, model.trainable_variables), model.trainable_variables))
        del t
