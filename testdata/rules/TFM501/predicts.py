# predict() cannot be compiled, and a batch that Python draws would be drawn once.
import tensorflow as tf

model = tf.keras.Sequential([tf.keras.layers.Dense(2)])
optimizer = tf.keras.optimizers.Adam()


def training_step(size):  # want "training_step runs eagerly in every iteration of the loop on line 17\. Move the tape and the update into a function with @tf\.function, and leave the rest of training_step, which needs Python, outside\.$"
    states, targets = sample(size)
    values = model.predict(states)
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean((model(states) - targets - values) ** 2)
    gradients = tape.gradient(loss, model.trainable_variables)
    optimizer.apply_gradients(zip(gradients, model.trainable_variables))


for episode in range(600):
    training_step(32)
