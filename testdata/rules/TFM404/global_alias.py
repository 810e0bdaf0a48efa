import tensorflow as tf

kept = None


def forward(x):
    global kept
    with tf.GradientTape(persistent=True) as tape:
        y = model(x)
        z = critic(y)
    kept = tape  # want "The persistent tape escapes to a global name and keeps every tensor it recorded\."
    return y, z


for x in batches:
    y, z = forward(x)
    update(kept.gradient(y, model.weights), kept.gradient(z, critic.weights))
