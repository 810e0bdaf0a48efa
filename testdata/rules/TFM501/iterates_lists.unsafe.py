# AutoGraph compiles a for over a tensor, and lists of tensors are Python's: all of it is traced.
import tensorflow as tf

optimizer = tf.keras.optimizers.Adam()
critic = tf.keras.Sequential([tf.keras.layers.Dense(1)])
heads = tf.keras.Model(inputs, [first, second])


@tf.function
def plain(states):  # want "plain runs eagerly"
    with tf.GradientTape() as tape:
        loss = 0.0
        for value in tf.squeeze(critic(states)):
            loss += value
    grads = tape.gradient(loss, critic.trainable_variables)
    optimizer.apply_gradients(zip(grads, critic.trainable_variables))


@tf.function
def pieces(states, targets):  # want "pieces runs eagerly"
    with tf.GradientTape() as tape:
        outputs = heads(states)
        loss = tf.add_n([tf.reduce_mean(o - t) for o, t in zip(outputs, tf.unstack(targets))])
        parts = [tf.reduce_sum(p) for p in tf.split(critic(states), 2)]
        loss += sum(parts)
        for i, layer in enumerate(critic.layers):
            loss += tf.add_n([tf.nn.l2_loss(w) for w in layer.trainable_weights]) / (i + 1)
        mean, variance = tf.nn.moments(critic(states), [0])
        best, places = tf.math.top_k(critic(states), 1)
    grads = tape.gradient(loss, critic.trainable_variables)
    tf.add_n([tf.norm(g) for g in grads])
    grads, _ = tf.clip_by_global_norm(grads, 5.0 + max(critic(states).shape))
    optimizer.apply_gradients(zip(grads, critic.trainable_variables))


for states, targets in dataset:
    plain(states)
    pieces(states, targets)
