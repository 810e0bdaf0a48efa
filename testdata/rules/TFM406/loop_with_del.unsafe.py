import tensorflow as tf

for x in batches:
    with tf.GradientTape(persistent=True) as tape:
        a = model(x)
    da = tape.gradient(a, x)
    for v in model.trainable_variables:
        v.assign_sub(tape.gradient(a, v))  # want "was consumed on line 6"
    del tape
    evaluate(x)
