import tensorflow as tf

for x in batches:
    tape = tf.GradientTape(persistent=True)  # want "persistent tape keeps .* line 8"
    with tape:
        a = model(x)
        b = critic(a)
    g = tape.gradient(a, model.weights), tape.gradient(b, critic.weights)
    del tape
    update(g)
