"""Who is given a tape decides how long it lives: TFM404 follows it."""
import tensorflow as tf


def forward(x):
    with tf.GradientTape(persistent=True) as tape:
        loss = model(x)
    return loss, tape


for x in batches:
    loss, t = forward(x)
    update(t.gradient(loss, x), t.gradient(loss, model.weights))
    evaluate()
