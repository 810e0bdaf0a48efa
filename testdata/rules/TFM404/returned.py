import tensorflow as tf


def forward(x):
    with tf.GradientTape(persistent=True) as tape:
        loss = model(x)
        other = critic(x)
    return loss, other, tape  # want "The persistent tape escapes to the caller, which keeps every tensor it recorded\. It is returned to line 12, where t keeps them after its last use on line 14, until the next iteration rebinds the name\. Delete it there, or compute the gradients here\.$"


for x in batches:
    loss, other, t = forward(x)
    da = t.gradient(loss, model.weights)
    db = t.gradient(other, critic.weights)
    update(da, db)


def alone(x):
    with tf.GradientTape(persistent=True) as tape:
        tape.watch(x)
        model(x)
    return tape  # want "is returned to line 25, where held keeps .* on line 26, until the process ends"


held = alone(x)
print(held.gradient(x, x), held.gradient(x, x))
train()
