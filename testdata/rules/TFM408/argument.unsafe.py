import tensorflow as tf

scorer = tf.keras.Sequential([
    tf.keras.layers.Input((128, 128, 1)),
    tf.keras.layers.Conv2D(8, 5, padding="same"),
    tf.keras.layers.MaxPool2D(4),
    tf.keras.layers.Conv2D(1, 5, padding="same"),
])
picture = tf.random.uniform((1, 128, 128, 1))
with tf.GradientTape(persistent=True) as tape:
    tape.watch(picture)
    scores = scorer(picture)
influence = tape.jacobian(  # want "jacobian\(\) computes the gradients of all 1024 outputs at once\."
    scores,
    picture,
    experimental_use_pfor=False,
)
del tape
