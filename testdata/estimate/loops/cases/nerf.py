import numpy as np
import tensorflow as tf
from tensorflow import keras
from tensorflow.keras import layers

BATCH_SIZE = 4
NUM_SAMPLES = 32
POS_ENCODE_DIMS = 8
H = W = 32


def encode_position(x):
    positions = [x]
    for i in range(POS_ENCODE_DIMS):
        for fn in [tf.sin, tf.cos]:
            positions.append(fn(2.0 ** i * x))
    return tf.concat(positions, axis=-1)


def get_nerf_model(num_layers, num_pos):
    inputs = keras.Input(shape=(num_pos, 2 * 3 * POS_ENCODE_DIMS + 3))
    x = inputs
    for i in range(num_layers):
        x = layers.Dense(units=128, activation="relu")(x)
        if i % 4 == 0 and i > 0:
            x = layers.concatenate([x, inputs], axis=-1)
    outputs = layers.Dense(units=4)(x)
    return keras.Model(inputs=inputs, outputs=outputs)


def render_rgb_depth(model, rays_flat, t_vals, rand=True, train=True):
    if train:
        predictions = model(rays_flat)
    else:
        predictions = model.predict(rays_flat)
    predictions = tf.reshape(predictions, shape=(BATCH_SIZE, H, W, NUM_SAMPLES, 4))
    rgb = tf.sigmoid(predictions[..., :-1])
    sigma_a = tf.nn.relu(predictions[..., -1])
    delta = t_vals[..., 1:] - t_vals[..., :-1]
    if rand:
        delta = tf.concat([delta, tf.broadcast_to([1e10], shape=(BATCH_SIZE, H, W, 1))], axis=-1)
        alpha = 1.0 - tf.exp(-sigma_a * delta)
    else:
        delta = tf.concat([delta, tf.broadcast_to([1e10], shape=(BATCH_SIZE, 1))], axis=-1)
        alpha = 1.0 - tf.exp(-sigma_a * delta[:, None, None, :])
    exp_term = 1.0 - alpha
    transmittance = tf.math.cumprod(exp_term + 1e-10, axis=-1, exclusive=True)
    weights = alpha * transmittance
    rgb = tf.reduce_sum(weights[..., None] * rgb, axis=-2)
    depth_map = tf.reduce_sum(weights * t_vals, axis=-1)
    return rgb, depth_map


nerf_model = get_nerf_model(num_layers=6, num_pos=H * W * NUM_SAMPLES)
optimizer = keras.optimizers.Adam()
loss_fn = keras.losses.MeanSquaredError()
loss_tracker = keras.metrics.Mean(name="loss")


@tf.function
def train_step(images, points, t_vals):
    rays_flat = encode_position(tf.reshape(points, [BATCH_SIZE, H * W * NUM_SAMPLES, 3]))
    with tf.GradientTape() as tape:
        rgb, _ = render_rgb_depth(model=nerf_model, rays_flat=rays_flat, t_vals=t_vals, rand=True)
        loss = loss_fn(images, rgb)
    trainable_variables = nerf_model.trainable_variables
    gradients = tape.gradient(loss, trainable_variables)
    optimizer.apply_gradients(zip(gradients, trainable_variables))
    loss_tracker.update_state(loss)
    return loss


images = np.random.rand(40, H, W, 3).astype("float32")
points = np.random.rand(40, H, W, NUM_SAMPLES, 3).astype("float32")
ts = np.sort(np.random.rand(40, H, W, NUM_SAMPLES), -1).astype("float32")
ds = tf.data.Dataset.from_tensor_slices((images, points, ts)).batch(BATCH_SIZE, drop_remainder=True)
for img, pts, t in ds:
    train_step(img, pts, t)
