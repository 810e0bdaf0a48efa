import tensorflow as tf

model = tf.keras.Sequential([tf.keras.layers.Dense(3, input_shape=(4,))])
optimizer = tf.keras.optimizers.Adam()
CPU = "/device:CPU:0"


def step(x):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(model(x))
    optimizer.apply_gradients(zip(tape.gradient(loss, model.trainable_variables), model.trainable_variables))


def train(data):
    for x in data:
        step(x)


with tf.device("CPU: 0"):
    for i in range(1000):
        step(tf.zeros([2, 4]))
with tf.device(CPU):
    train([tf.zeros([2, 4])] * 1000)
with tf.device("/GPU:0"):
    for i in range(1000):
        with tf.name_scope("step"), tf.device("/cpu:0"):
            step(tf.zeros([2, 4]))
for i in range(1000):
    with tf.device("cpu"):
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean(model(tf.zeros([2, 4])))
        optimizer.apply_gradients(zip(tape.gradient(loss, model.trainable_variables), model.trainable_variables))
