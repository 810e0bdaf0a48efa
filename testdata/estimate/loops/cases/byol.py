import numpy as np
import tensorflow as tf


class ResBlock(tf.keras.layers.Layer):
    def __init__(self, channels, stride=1):
        super().__init__(name="ResBlock")
        self.flag = stride != 1
        self.conv1 = tf.keras.layers.Conv2D(channels, 3, stride, padding="same")
        self.bn1 = tf.keras.layers.BatchNormalization()
        self.conv2 = tf.keras.layers.Conv2D(channels, 3, padding="same")
        self.bn2 = tf.keras.layers.BatchNormalization()
        self.relu = tf.keras.layers.ReLU()
        if self.flag:
            self.bn3 = tf.keras.layers.BatchNormalization()
            self.conv3 = tf.keras.layers.Conv2D(channels, 1, stride)

    def call(self, x, training=None):
        x1 = self.relu(self.bn1(self.conv1(x), training=training))
        x1 = self.bn2(self.conv2(x1), training=training)
        if self.flag:
            x = self.bn3(self.conv3(x), training=training)
        return self.relu(x1 + x)


class ResNet(tf.keras.Model):
    def __init__(self):
        super().__init__()
        self.conv1 = tf.keras.layers.Conv2D(32, 3, padding="same", activation="relu")
        self.stages = [ResBlock(32), ResBlock(32), ResBlock(64, 2), ResBlock(64), ResBlock(128, 2), ResBlock(128)]
        self.pool = tf.keras.layers.GlobalAveragePooling2D()

    def call(self, x, training=None):
        x = self.conv1(x)
        for s in self.stages:
            x = s(x, training=training)
        return self.pool(x)


class ProjectionHead(tf.keras.Model):
    def __init__(self):
        super().__init__()
        self.fc1 = tf.keras.layers.Dense(512)
        self.bn = tf.keras.layers.BatchNormalization()
        self.relu = tf.keras.layers.ReLU()
        self.fc2 = tf.keras.layers.Dense(128)

    def call(self, inp, training=None):
        x = self.relu(self.bn(self.fc1(inp), training=training))
        return self.fc2(x)


def byol_loss(p, z):
    p = tf.math.l2_normalize(p, axis=1)
    z = tf.math.l2_normalize(z, axis=1)
    return 2 - 2 * tf.reduce_mean(tf.reduce_sum(tf.multiply(p, z), axis=1))


f_online, g_online, q_online = ResNet(), ProjectionHead(), ProjectionHead()
f_target, g_target = ResNet(), ProjectionHead()
x = tf.random.normal((32, 32, 32, 3))
h = f_online(x, training=False)
z = g_online(h, training=False)
p = q_online(z, training=False)
h = f_target(x, training=False)
z = g_target(h, training=False)
opt = tf.keras.optimizers.Adam(learning_rate=3e-4)


@tf.function
def train_step_pretraining(x1, x2):
    h_target_1 = f_target(x1, training=True)
    z_target_1 = g_target(h_target_1, training=True)
    h_target_2 = f_target(x2, training=True)
    z_target_2 = g_target(h_target_2, training=True)
    with tf.GradientTape(persistent=True) as tape:
        h_online_1 = f_online(x1, training=True)
        z_online_1 = g_online(h_online_1, training=True)
        p_online_1 = q_online(z_online_1, training=True)
        h_online_2 = f_online(x2, training=True)
        z_online_2 = g_online(h_online_2, training=True)
        p_online_2 = q_online(z_online_2, training=True)
        p_online = tf.concat([p_online_1, p_online_2], axis=0)
        z_target = tf.concat([z_target_2, z_target_1], axis=0)
        loss = byol_loss(p_online, z_target)
    grads = tape.gradient(loss, f_online.trainable_variables)
    opt_vars = f_online.trainable_variables + g_online.trainable_variables + q_online.trainable_variables
    grads = grads + tape.gradient(loss, g_online.trainable_variables) + tape.gradient(loss, q_online.trainable_variables)
    opt.apply_gradients(zip(grads, opt_vars))
    del tape
    return loss


def update_target(beta=0.99):
    for t, o in ((f_target, f_online), (g_target, g_online)):
        for wt, wo in zip(t.trainable_variables, o.trainable_variables):
            wt.assign(beta * wt + (1 - beta) * wo)


images = np.random.rand(640, 32, 32, 3).astype("float32")
ds = tf.data.Dataset.from_tensor_slices((images, images[::-1])).batch(64)
for x1, x2 in ds:
    loss = train_step_pretraining(x1, x2)
    update_target()
