# keras: 2.13
import tensorflow as tf

strategy = tf.distribute.MirroredStrategy()
print("replicas:", strategy.num_replicas_in_sync)

with strategy.scope():
    net = tf.keras.Sequential([tf.keras.layers.Dense(64, activation="relu"), tf.keras.layers.Dense(10)])
    adam = tf.keras.optimizers.Adam(1e-3)

loss_fn = tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True)


@tf.function
def train_step(images, labels):
    with tf.GradientTape() as tape:
        loss = loss_fn(labels, net(images, training=True))
    gradients = tape.gradient(loss, net.trainable_variables)
    adam.apply_gradients(zip(gradients, net.trainable_variables))  # want "warning: This step runs on one GPU: the strategy does not run it\. The model is built in the scope on line 7: every GPU holds its weights and the optimizer's, and one trains\. Run it by strategy\.run, or train with fit\.$"
    return loss


for images, labels in tf.data.Dataset.from_tensor_slices((tf.zeros((640, 784)), tf.zeros((640,), tf.int32))).batch(64):
    train_step(images, labels)
