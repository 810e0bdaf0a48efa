import tensorflow as tf
import keras
from keras import layers

S = 64


class ReflectionPadding2D(layers.Layer):
    def __init__(self, padding=(1, 1), **kwargs):
        self.padding = tuple(padding)
        super().__init__(**kwargs)

    def call(self, t):
        w, h = self.padding
        return tf.pad(t, [[0, 0], [h, h], [w, w], [0, 0]], mode="REFLECT")


class InstanceNorm(layers.Layer):
    def build(self, shape):
        self.g = self.add_weight(shape=(shape[-1],), initializer="ones", name="g")
        self.b = self.add_weight(shape=(shape[-1],), initializer="zeros", name="b")

    def call(self, x):
        m, v = tf.nn.moments(x, axes=[1, 2], keepdims=True)
        return self.g * (x - m) * tf.math.rsqrt(v + 1e-5) + self.b


def residual_block(x):
    dim = x.shape[-1]
    y = ReflectionPadding2D()(x)
    y = layers.Conv2D(dim, 3, use_bias=False)(y)
    y = layers.Activation("relu")(InstanceNorm()(y))
    y = ReflectionPadding2D()(y)
    y = layers.Conv2D(dim, 3, use_bias=False)(y)
    return layers.add([x, InstanceNorm()(y)])


def get_generator(filters=32, n_down=2, n_res=4, name=None):
    img = layers.Input((S, S, 3))
    x = ReflectionPadding2D((3, 3))(img)
    x = layers.Activation("relu")(InstanceNorm()(layers.Conv2D(filters, 7, use_bias=False)(x)))
    f = filters
    for _ in range(n_down):
        f *= 2
        x = layers.Activation("relu")(InstanceNorm()(layers.Conv2D(f, 3, 2, padding="same", use_bias=False)(x)))
    for _ in range(n_res):
        x = residual_block(x)
    for _ in range(n_down):
        f //= 2
        x = layers.Activation("relu")(InstanceNorm()(layers.Conv2DTranspose(f, 3, 2, padding="same", use_bias=False)(x)))
    x = ReflectionPadding2D((3, 3))(x)
    return keras.Model(img, layers.Activation("tanh")(layers.Conv2D(3, 7)(x)), name=name)


def get_discriminator(filters=48, name=None):
    img = x = layers.Input((S, S, 3))
    for i in range(3):
        x = layers.Conv2D(filters * 2 ** i, 4, 2, padding="same")(x)
        if i:
            x = InstanceNorm()(x)
        x = layers.LeakyReLU(0.2)(x)
    return keras.Model(img, layers.Conv2D(1, 4, padding="same")(x), name=name)


G, F = get_generator(name="G"), get_generator(name="F")
DX, DY = get_discriminator(name="DX"), get_discriminator(name="DY")
opts = {k: keras.optimizers.Adam(2e-4, beta_1=0.5) for k in ("G", "F", "DX", "DY")}
mse = keras.losses.MeanSquaredError()
mae = keras.losses.MeanAbsoluteError()
LAMBDA = 10.0


@tf.function
def train_step(real_x, real_y):
    with tf.GradientTape(persistent=True) as tape:
        fake_y = G(real_x, training=True)
        cycled_x = F(fake_y, training=True)
        fake_x = F(real_y, training=True)
        cycled_y = G(fake_x, training=True)
        same_x = F(real_x, training=True)
        same_y = G(real_y, training=True)
        d_rx, d_ry = DX(real_x, training=True), DY(real_y, training=True)
        d_fx, d_fy = DX(fake_x, training=True), DY(fake_y, training=True)
        g_loss = mse(tf.ones_like(d_fy), d_fy)
        f_loss = mse(tf.ones_like(d_fx), d_fx)
        cycle = LAMBDA * (mae(real_x, cycled_x) + mae(real_y, cycled_y))
        total_g = g_loss + cycle + 0.5 * LAMBDA * mae(real_y, same_y)
        total_f = f_loss + cycle + 0.5 * LAMBDA * mae(real_x, same_x)
        dx_loss = 0.5 * (mse(tf.ones_like(d_rx), d_rx) + mse(tf.zeros_like(d_fx), d_fx))
        dy_loss = 0.5 * (mse(tf.ones_like(d_ry), d_ry) + mse(tf.zeros_like(d_fy), d_fy))
    for name, loss, net in (("G", total_g, G), ("F", total_f, F), ("DX", dx_loss, DX), ("DY", dy_loss, DY)):
        grads = tape.gradient(loss, net.trainable_variables)
        opts[name].apply_gradients(zip(grads, net.trainable_variables))
    return total_g, dx_loss


for v, net in (("G", G), ("F", F), ("DX", DX), ("DY", DY)):
    opts[v].build(net.trainable_variables)
ds = tf.data.Dataset.from_tensor_slices((tf.random.normal((40, S, S, 3)), tf.random.normal((40, S, S, 3)))).batch(4)
for epoch in range(1):
    for n, (x, y) in enumerate(ds):
        train_step(x, y)
        if n % 5 == 0:
            print(".", end="")
