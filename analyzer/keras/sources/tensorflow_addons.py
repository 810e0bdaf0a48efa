# Layers, activations and losses of TensorFlow Addons 0.23, as far as shapes, weights and memory
# depend on them.
import tensorflow as tf


# tensorflow_addons/activations


def gelu(x, approximate=True):
    return tf.nn.gelu(x, approximate)


def hardshrink(x, lower=-0.5, upper=0.5):
    return x * tf.cast(tf.logical_or(x < lower, upper < x), x.dtype)


def lisht(x):
    return x * tf.math.tanh(x)


def mish(x):
    return x * tf.math.tanh(tf.math.softplus(x))


def rrelu(x, lower=0.125, upper=0.3333333333333333, training=None, seed=None, rng=None):
    lower, upper = tf.cast(lower, x.dtype), tf.cast(upper, x.dtype)
    a = (lower + upper) / 2 if training is False else tf.random.uniform(tf.shape(x), lower, upper, dtype=x.dtype)
    return tf.where(x >= 0, x, a * x)


def snake(x, frequency=1):
    frequency = tf.cast(frequency, x.dtype)
    return x + (1 - tf.cos(2 * frequency * x)) / (2 * frequency)


def softshrink(x, lower=-0.5, upper=0.5):
    return tf.where(x < lower, x - lower, 0) + tf.where(upper < x, x - upper, 0)


def last_swapped(x, axis):
    rank = len(x.shape)
    order = list(range(rank))
    order[axis], order[-1] = order[-1], order[axis]
    return tf.transpose(x, order)


def sparsemax(logits, axis=-1):
    if axis != -1 and axis != len(logits.shape) - 1:
        return last_swapped(sparsemax(last_swapped(logits, axis)), axis)
    shape, dims = tf.shape(logits), logits.shape[-1]
    z = tf.reshape(logits, (-1, dims))
    rows = tf.shape(z)[0]
    highest, _ = tf.nn.top_k(z, k=dims)
    sums = tf.math.cumsum(highest, axis=-1)
    k = tf.range(1, tf.cast(dims, logits.dtype) + 1, dtype=logits.dtype)
    count = tf.reduce_sum(tf.cast(1 + k * highest > sums, tf.int32), axis=-1)
    at = tf.stack([tf.range(0, rows), tf.reshape(tf.maximum(count, 1), [-1]) - 1], axis=1)
    tau = (tf.gather_nd(sums, at) - 1) / tf.cast(count, logits.dtype)
    p = tf.maximum(tf.cast(0, logits.dtype), z - tf.expand_dims(tau, -1))
    wrong = tf.logical_or(tf.equal(count, 0), tf.math.is_nan(sums[:, -1]))
    p = tf.where(tf.expand_dims(wrong, axis=-1), tf.fill([rows, dims], tf.cast(float("nan"), logits.dtype)), p)
    return tf.reshape(p, shape)


def tanhshrink(x):
    return x - tf.math.tanh(x)


# tensorflow_addons/layers


class GELU(tf.keras.layers.Layer):
    def __init__(self, approximate=True, **kwargs):
        super().__init__(**kwargs)
        self.approximate = approximate

    def call(self, inputs):
        return gelu(inputs, self.approximate)


class Sparsemax(tf.keras.layers.Layer):
    def __init__(self, axis=-1, **kwargs):
        super().__init__(**kwargs)
        self.axis = axis

    def call(self, inputs):
        return sparsemax(inputs, self.axis)


class PoincareNormalize(tf.keras.layers.Layer):
    # poincare.py
    def __init__(self, axis=1, epsilon=1e-5, **kwargs):
        super().__init__(**kwargs)
        self.axis, self.epsilon = axis, epsilon

    def call(self, inputs):
        norm = tf.math.rsqrt(tf.reduce_sum(tf.square(inputs), self.axis, keepdims=True))
        return tf.multiply(inputs, tf.minimum((1.0 - self.epsilon) * norm, 1.0))


class WeightNormalization(tf.keras.layers.Wrapper):
    # wrappers.py; a branch that runs in the first step alone makes g
    def __init__(self, layer, data_init=True, **kwargs):
        super().__init__(layer, **kwargs)
        self.data_init = data_init

    def build(self, input_shape):
        if not self.layer.built:
            self.layer.build(input_shape)
        self.recurs = isinstance(self.layer, tf.keras.layers.RNN)
        self.v = self.layer.cell.recurrent_kernel if self.recurs else self.layer.kernel
        self.g = self.add_weight(shape=(self.v.shape[-1],), name="g")
        self.initialized = self.add_weight(shape=(), name="initialized", dtype=tf.bool, trainable=False)
        if self.data_init:
            self.naked = [self.add_weight(shape=w.shape, name="naked", trainable=False) for w in self.layer.weights]

    def call(self, inputs):
        kernel = tf.nn.l2_normalize(self.v, axis=list(range(len(self.v.shape) - 1))) * self.g
        if self.recurs:
            self.layer.cell.recurrent_kernel = kernel
        else:
            self.layer.kernel = kernel
        return self.layer(inputs)


class MaxUnpooling2D(tf.keras.layers.Layer):
    # max_unpooling_2d.py
    def __init__(self, pool_size=(2, 2), strides=(2, 2), padding="SAME", **kwargs):
        super().__init__(**kwargs)
        self.pool_size = (pool_size, pool_size) if isinstance(pool_size, int) else pool_size
        self.strides, self.padding = (strides, strides) if isinstance(strides, int) else strides, padding

    def call(self, updates, mask):
        mask = tf.cast(mask, tf.int32)
        rows, height, width, channels = tf.shape(updates)[0], updates.shape[1], updates.shape[2], updates.shape[3]
        if self.padding == "VALID":
            height, width = (height - 1) * self.strides[0] + self.pool_size[0], (width - 1) * self.strides[1] + self.pool_size[1]
        else:
            height, width = height * self.strides[0], width * self.strides[1]
        b = tf.ones_like(mask) * tf.reshape(tf.range(rows), (-1, 1, 1, 1))
        y, x = mask // (width * channels), mask // channels % width
        f = tf.ones_like(mask) * tf.range(channels)
        size = tf.size(updates)
        indices = tf.transpose(tf.reshape(tf.stack([b, y, x, f]), [4, size]))
        return tf.scatter_nd(indices, tf.reshape(updates, [size]), (rows, height, width, channels))


class Snake(tf.keras.layers.Layer):
    def __init__(self, frequency_initializer="ones", **kwargs):
        super().__init__(**kwargs)
        self.frequency = self.add_weight(shape=(), name="frequency")

    def call(self, inputs):
        return snake(inputs, self.frequency)


class TLU(tf.keras.layers.Layer):
    # tlu.py
    def __init__(self, affine=False, **kwargs):
        name = kwargs.get("name")
        super().__init__(name=name)
        self.affine = affine

    def build(self, input_shape):
        self.tau = self.add_weight(shape=input_shape[1:], name="tau")
        if self.affine:
            self.alpha = self.add_weight(shape=input_shape[1:], name="alpha")

    def call(self, inputs):
        return tf.maximum(inputs, self.tau + self.alpha * inputs if self.affine else self.tau + 0)


class FilterResponseNormalization(tf.keras.layers.Layer):
    # normalizations.py
    def __init__(self, epsilon=1e-6, axis=[1, 2], learned_epsilon=False, name=None, **kwargs):
        super().__init__(name=name)
        self.epsilon, self.axis, self.learned_epsilon = epsilon, axis, learned_epsilon

    def build(self, input_shape):
        self.gamma = self.add_weight(shape=(1, 1, 1, input_shape[-1]), name="gamma")
        self.beta = self.add_weight(shape=(1, 1, 1, input_shape[-1]), name="beta")
        if self.learned_epsilon:
            self.learned = self.add_weight(shape=(1,), name="learned_epsilon")

    def call(self, inputs):
        epsilon = self.epsilon
        if self.learned_epsilon:
            epsilon += tf.math.abs(self.learned)
        squares = tf.reduce_mean(tf.square(inputs), axis=self.axis, keepdims=True)
        return self.gamma * (inputs * tf.math.rsqrt(squares + epsilon)) + self.beta


class Maxout(tf.keras.layers.Layer):
    # maxout.py
    def __init__(self, num_units, axis=-1, **kwargs):
        super().__init__(**kwargs)
        self.num_units, self.axis = num_units, axis

    def call(self, inputs):
        shape = [tf.shape(inputs)[i] if n is None else n for i, n in enumerate(inputs.shape)]
        axis = self.axis % len(shape)
        groups = shape[axis] // self.num_units
        return tf.math.reduce_max(tf.reshape(inputs, shape[:axis] + [groups, self.num_units] + shape[axis + 1:]), axis)


class MultiHeadAttention(tf.keras.layers.Layer):
    # multihead_attention.py
    def __init__(self, head_size, num_heads, output_size=None, dropout=0.0, use_projection_bias=True,
                 return_attn_coef=False, kernel_initializer="glorot_uniform", name=None, **kwargs):
        super().__init__(name=name)
        self.head_size, self.num_heads, self.output_size = head_size, num_heads, output_size
        self.use_projection_bias, self.return_attn_coef = use_projection_bias, return_attn_coef
        self.dropout = tf.keras.layers.Dropout(dropout)

    def build(self, input_shape):
        features = [shape[-1] for shape in input_shape]
        values = features[2] if len(features) > 2 else features[1]
        output = self.output_size or values
        self.query_kernel = self.add_weight(shape=(self.num_heads, features[0], self.head_size), name="query_kernel")
        self.key_kernel = self.add_weight(shape=(self.num_heads, features[1], self.head_size), name="key_kernel")
        self.value_kernel = self.add_weight(shape=(self.num_heads, values, self.head_size), name="value_kernel")
        self.projection_kernel = self.add_weight(shape=(self.num_heads, self.head_size, output), name="projection_kernel")
        if self.use_projection_bias:
            self.projection_bias = self.add_weight(shape=(output,), name="projection_bias")

    def call(self, inputs, training=None, mask=None):
        query, key, value = inputs[0], inputs[1], inputs[2] if len(inputs) > 2 else inputs[1]
        query = tf.einsum("...NI,HIO->...NHO", query, self.query_kernel)
        key = tf.einsum("...MI,HIO->...MHO", key, self.key_kernel)
        value = tf.einsum("...MI,HIO->...MHO", value, self.value_kernel)
        query /= tf.sqrt(tf.constant(self.head_size, dtype=query.dtype))
        scores = tf.einsum("...NHO,...MHO->...HNM", query, key)
        if mask is not None:
            mask = tf.cast(mask, tf.float32)
            if len(mask.shape) != len(scores.shape):
                mask = tf.expand_dims(mask, -3)
            scores += -1e10 * (1.0 - mask)
        weights = tf.nn.softmax(scores)
        heads = tf.einsum("...HNM,...MHI->...NHI", self.dropout(weights, training=training), value)
        output = tf.einsum("...NHI,HIO->...NO", heads, self.projection_kernel)
        if self.use_projection_bias:
            output += self.projection_bias
        return (output, weights) if self.return_attn_coef else output


class NoisyDense(tf.keras.layers.Layer):
    # noisy_dense.py
    def __init__(self, units, sigma=0.5, use_factorised=True, activation=None, use_bias=True, name=None, **kwargs):
        super().__init__(name=name)
        self.units, self.use_bias, self.activation = units, use_bias, tf.keras.activations.get(activation)

    def build(self, input_shape):
        shape = (input_shape[-1], self.units)
        self.sigma_kernel = self.add_weight(shape=shape, name="sigma_kernel")
        self.mu_kernel = self.add_weight(shape=shape, name="mu_kernel")
        self.eps_kernel = self.add_weight(shape=shape, name="eps_kernel", trainable=False)
        if self.use_bias:
            self.sigma_bias = self.add_weight(shape=(self.units,), name="sigma_bias")
            self.mu_bias = self.add_weight(shape=(self.units,), name="mu_bias")
            self.eps_bias = self.add_weight(shape=(self.units,), name="eps_bias", trainable=False)

    def call(self, inputs):
        x = tf.matmul(inputs, self.mu_kernel + self.sigma_kernel * self.eps_kernel)
        if self.use_bias:
            x = tf.nn.bias_add(x, self.mu_bias + self.sigma_bias * self.eps_bias)
        return self.activation(x)


class StochasticDepth(tf.keras.layers.Layer):
    # stochastic_depth.py
    def __init__(self, survival_probability=0.5, **kwargs):
        super().__init__(**kwargs)
        self.survival_probability = survival_probability

    def call(self, x, training=None):
        shortcut, residual = x
        if training:
            return shortcut + tf.cast(tf.random.uniform(()) < self.survival_probability, residual.dtype) * residual
        return shortcut + self.survival_probability * residual


class PolynomialCrossing(tf.keras.layers.Layer):
    # polynomial.py
    def __init__(self, projection_dim=None, diag_scale=0.0, use_bias=True, name=None, **kwargs):
        super().__init__(name=name)
        self.projection_dim, self.diag_scale, self.use_bias = projection_dim, diag_scale, use_bias

    def build(self, input_shape):
        n = input_shape[-1][-1]
        if self.projection_dim is None:
            self.kernel = self.add_weight(shape=(n, n), name="kernel")
        else:
            self.kernel_u = self.add_weight(shape=(n, self.projection_dim), name="kernel_u")
            self.kernel_v = self.add_weight(shape=(self.projection_dim, n), name="kernel_v")
        if self.use_bias:
            self.bias = self.add_weight(shape=(n,), name="bias")

    def call(self, inputs):
        x0, x = inputs
        if self.projection_dim is None:
            product = tf.matmul(x, self.kernel)
        else:
            product = tf.matmul(tf.matmul(x, self.kernel_u), self.kernel_v)
        if self.diag_scale:
            product = tf.add(product, self.diag_scale * x)
        outputs = x0 * product + x
        return tf.add(outputs, self.bias) if self.use_bias else outputs


class AdaptivePooling(tf.keras.layers.Layer):
    # adaptive_pooling.py: an even cut of each dimension is a dimension more, which is reduced
    def __init__(self, reduced, rank, output_size, data_format=None, **kwargs):
        super().__init__(**kwargs)
        self.reduced, self.rank = reduced, rank
        self.bins = [output_size] * rank if isinstance(output_size, int) else output_size
        self.first = 2 if (data_format or tf.keras.backend.image_data_format()) == "channels_first" else 1

    def call(self, inputs):
        x = inputs
        for i, bins in enumerate(self.bins):
            at = self.first + 2 * i
            x = tf.stack(tf.split(x, bins, axis=at), axis=at)
        return self.reduced(x, axis=[self.first + 2 * i + 1 for i in range(self.rank)])


def AdaptiveAveragePooling1D(output_size, data_format=None, **kwargs):
    return AdaptivePooling(tf.reduce_mean, 1, output_size, data_format, **kwargs)


def AdaptiveMaxPooling1D(output_size, data_format=None, **kwargs):
    return AdaptivePooling(tf.reduce_max, 1, output_size, data_format, **kwargs)


def AdaptiveAveragePooling2D(output_size, data_format=None, **kwargs):
    return AdaptivePooling(tf.reduce_mean, 2, output_size, data_format, **kwargs)


def AdaptiveMaxPooling2D(output_size, data_format=None, **kwargs):
    return AdaptivePooling(tf.reduce_max, 2, output_size, data_format, **kwargs)


def AdaptiveAveragePooling3D(output_size, data_format=None, **kwargs):
    return AdaptivePooling(tf.reduce_mean, 3, output_size, data_format, **kwargs)


def AdaptiveMaxPooling3D(output_size, data_format=None, **kwargs):
    return AdaptivePooling(tf.reduce_max, 3, output_size, data_format, **kwargs)


class SpatialPyramidPooling2D(tf.keras.layers.Layer):
    # spatial_pyramid_pooling.py
    def __init__(self, bins, data_format=None, **kwargs):
        super().__init__(**kwargs)
        self.bins = [(n, n) if isinstance(n, int) else n for n in bins]
        self.pools = [AdaptiveAveragePooling2D(size, "channels_last") for size in self.bins]

    def call(self, inputs):
        shape, outputs = tf.shape(inputs), []
        for size, pool in zip(self.bins, self.pools):
            height, width = inputs.shape[1] // size[0] * size[0], inputs.shape[2] // size[1] * size[1]
            x = pool(inputs[:, :height, :width, :])
            outputs.append(tf.reshape(x, (shape[0], size[0] * size[1], inputs.shape[-1])))
        return tf.concat(outputs, axis=1)


# tensorflow_addons/losses


class LossOf(tf.keras.losses.Loss):
    def __init__(self, function, name=None, **kwargs):
        super().__init__(name=name)
        self.function, self.arguments = function, kwargs

    def call(self, y_true, y_pred):
        return self.function(y_true, y_pred, **self.arguments)


def sigmoid_focal_crossentropy(y_true, y_pred, alpha=0.25, gamma=2.0, from_logits=False):
    # focal_loss.py
    y_true = tf.cast(y_true, y_pred.dtype)
    entropy = tf.keras.backend.binary_crossentropy(y_true, y_pred, from_logits=from_logits)
    probability = tf.sigmoid(y_pred) if from_logits else y_pred
    right = y_true * probability + (1 - y_true) * (1 - probability)
    weight = y_true * alpha + (1 - y_true) * (1 - alpha) if alpha else 1.0
    factor = tf.pow(1.0 - right, gamma) if gamma else 1.0
    return tf.reduce_sum(weight * factor * entropy, axis=-1)


def SigmoidFocalCrossEntropy(from_logits=False, alpha=0.25, gamma=2.0, reduction="none", name="sigmoid_focal_crossentropy"):
    return LossOf(sigmoid_focal_crossentropy, name, from_logits=from_logits, alpha=alpha, gamma=gamma)


def contrastive_loss(y_true, y_pred, margin=1.0):
    y_true = tf.cast(y_true, y_pred.dtype)
    return y_true * tf.square(y_pred) + (1.0 - y_true) * tf.square(tf.maximum(margin - y_pred, 0.0))


def ContrastiveLoss(margin=1.0, reduction="auto", name="contrastive_loss"):
    return LossOf(contrastive_loss, name, margin=margin)


def pinball_loss(y_true, y_pred, tau=0.5):
    difference = tf.cast(y_true, y_pred.dtype) - y_pred
    return tf.reduce_mean(tf.maximum(tau * difference, (tau - 1.0) * difference), axis=-1)


def PinballLoss(tau=0.5, reduction="auto", name="pinball_loss"):
    return LossOf(pinball_loss, name, tau=tau)


def pairwise_distance(feature, squared=False):
    # metric_learning.py
    squares = tf.add(tf.reduce_sum(tf.square(feature), axis=[1], keepdims=True),
                     tf.reduce_sum(tf.square(tf.transpose(feature)), axis=[0], keepdims=True))
    distances = tf.maximum(squares - 2.0 * tf.matmul(feature, tf.transpose(feature)), 0.0)
    none = tf.less_equal(distances, 0.0)
    if not squared:
        distances = tf.sqrt(distances + tf.cast(none, tf.float32) * 1e-16)
    distances = tf.multiply(distances, tf.cast(tf.logical_not(none), tf.float32))
    return tf.multiply(distances, tf.ones_like(distances) - tf.linalg.diag(tf.ones([tf.shape(feature)[0]])))


def distances_by(metric, x):
    if metric == "angular":
        x = tf.math.l2_normalize(x, axis=1)
        return tf.maximum(1 - tf.matmul(x, x, transpose_b=True), 0.0)
    if isinstance(metric, str):
        return pairwise_distance(x, squared=metric == "squared-L2")
    return metric(x)


def masked(reduced, other, data, mask):
    # triplet.py, _masked_maximum and _masked_minimum
    end = other(data, 1, keepdims=True)
    return reduced(tf.multiply(data - end, mask), 1, keepdims=True) + end


def masked_maximum(data, mask):
    return masked(tf.reduce_max, tf.reduce_min, data, mask)


def masked_minimum(data, mask):
    return masked(tf.reduce_min, tf.reduce_max, data, mask)


def triplet_semihard_loss(y_true, y_pred, margin=1.0, distance_metric="L2"):
    # triplet.py
    rows = tf.shape(y_pred)[0]
    labels = tf.reshape(y_true, [rows, 1])
    distances = distances_by(distance_metric, y_pred)
    alike = tf.equal(labels, tf.transpose(labels))
    unlike = tf.logical_not(alike)
    tiled = tf.tile(distances, [rows, 1])
    mask = tf.logical_and(tf.tile(unlike, [rows, 1]), tf.greater(tiled, tf.reshape(tf.transpose(distances), [-1, 1])))
    some = tf.greater(tf.reduce_sum(tf.cast(mask, tf.float32), 1, keepdims=True), 0.0)
    some = tf.transpose(tf.reshape(some, [rows, rows]))
    mask = tf.cast(mask, tf.float32)
    outside = tf.transpose(tf.reshape(masked_minimum(tiled, mask), [rows, rows]))
    inside = tf.tile(masked_maximum(distances, tf.cast(unlike, tf.float32)), [1, rows])
    losses = tf.add(margin, distances - tf.where(some, outside, inside))
    positives = tf.cast(alike, tf.float32) - tf.linalg.diag(tf.ones([rows]))
    return tf.truediv(tf.reduce_sum(tf.maximum(tf.multiply(losses, positives), 0.0)), tf.reduce_sum(positives))


def TripletSemiHardLoss(margin=1.0, distance_metric="L2", name=None, **kwargs):
    return LossOf(triplet_semihard_loss, name, margin=margin, distance_metric=distance_metric)


def triplet_hard_loss(y_true, y_pred, margin=1.0, soft=False, distance_metric="L2"):
    rows = tf.shape(y_pred)[0]
    labels = tf.reshape(y_true, [rows, 1])
    distances = distances_by(distance_metric, y_pred)
    alike = tf.equal(labels, tf.transpose(labels))
    negatives = masked_minimum(distances, tf.cast(tf.logical_not(alike), tf.float32))
    positives = masked_maximum(distances, tf.cast(alike, tf.float32) - tf.linalg.diag(tf.ones([rows])))
    if soft:
        return tf.reduce_mean(tf.math.log1p(tf.exp(positives - negatives)))
    return tf.reduce_mean(tf.maximum(positives - negatives + margin, 0.0))


def TripletHardLoss(margin=1.0, soft=False, distance_metric="L2", name=None, **kwargs):
    return LossOf(triplet_hard_loss, name, margin=margin, soft=soft, distance_metric=distance_metric)


def lifted_struct_loss(y_true, y_pred, margin=1.0):
    # lifted.py
    rows = tf.shape(y_true)[0]
    labels = tf.reshape(y_true, [rows, 1])
    distances = pairwise_distance(y_pred)
    alike = tf.equal(labels, tf.transpose(labels))
    differences = margin - distances
    mask = tf.cast(tf.logical_not(alike), tf.float32)
    most = masked_maximum(differences, mask)
    most = tf.maximum(most, tf.transpose(most))
    tiled = tf.tile(differences, [rows, 1]) - tf.reshape(tf.transpose(most), [-1, 1])
    left = tf.reshape(tf.reduce_sum(tf.multiply(tf.exp(tiled), tf.tile(mask, [rows, 1])), 1, keepdims=True), [rows, rows])
    losses = most + tf.math.log(left + tf.transpose(left)) + distances
    positives = tf.cast(alike, tf.float32) - tf.linalg.diag(tf.ones([rows]))
    return tf.truediv(0.25 * tf.reduce_sum(tf.square(tf.maximum(tf.multiply(losses, positives), 0.0))), tf.reduce_sum(positives) / 2.0)


def LiftedStructLoss(margin=1.0, name=None, **kwargs):
    return LossOf(lifted_struct_loss, name, margin=margin)


def giou_loss(y_true, y_pred, mode="giou"):
    # giou_loss.py
    zero = 0.0
    top, left, bottom, right = tf.unstack(y_pred, 4, axis=-1)
    top2, left2, bottom2, right2 = tf.unstack(tf.cast(y_true, y_pred.dtype), 4, axis=-1)
    area = tf.maximum(zero, right - left) * tf.maximum(zero, bottom - top)
    area2 = tf.maximum(zero, right2 - left2) * tf.maximum(zero, bottom2 - top2)
    width = tf.maximum(zero, tf.minimum(right, right2) - tf.maximum(left, left2))
    height = tf.maximum(zero, tf.minimum(bottom, bottom2) - tf.maximum(top, top2))
    both = width * height
    union = area + area2 - both
    overlap = tf.math.divide_no_nan(both, union)
    if mode == "giou":
        width = tf.maximum(zero, tf.maximum(right, right2) - tf.minimum(left, left2))
        height = tf.maximum(zero, tf.maximum(bottom, bottom2) - tf.minimum(top, top2))
        around = width * height
        overlap = overlap - tf.math.divide_no_nan(around - union, around)
    return 1 - tf.squeeze(overlap)


def GIoULoss(mode="giou", reduction="auto", name="giou_loss"):
    return LossOf(giou_loss, name, mode=mode)


def npairs_loss(y_true, y_pred):
    alike = tf.expand_dims(tf.cast(y_true, y_pred.dtype), -1)
    alike = tf.cast(tf.equal(alike, tf.transpose(alike)), y_pred.dtype)
    alike /= tf.reduce_sum(alike, 1, keepdims=True)
    return tf.reduce_mean(tf.nn.softmax_cross_entropy_with_logits(logits=y_pred, labels=alike))


def NpairsLoss(name="npairs_loss"):
    return LossOf(npairs_loss, name)


def npairs_multilabel_loss(y_true, y_pred):
    alike = tf.cast(y_true, y_pred.dtype)
    alike = tf.matmul(alike, alike, transpose_b=True)
    alike /= tf.reduce_sum(alike, 1, keepdims=True)
    return tf.reduce_mean(tf.nn.softmax_cross_entropy_with_logits(logits=y_pred, labels=alike))


def NpairsMultilabelLoss(name="npairs_multilabel_loss"):
    return LossOf(npairs_multilabel_loss, name)


def sparsemax_loss(logits, sparsemax, labels, name=None):
    # sparsemax_loss.py
    supported = tf.where(tf.logical_or(sparsemax > 0, tf.math.is_nan(sparsemax)), sparsemax * (logits - 0.5 * sparsemax), tf.zeros_like(sparsemax))
    right = labels * (0.5 * labels - logits)
    right = tf.where(tf.logical_and(tf.equal(labels, 0), tf.math.is_inf(logits)), tf.zeros_like(logits), right)
    return tf.reduce_sum(supported + right, axis=1)


def SparsemaxLoss(from_logits=True, reduction="auto", name="sparsemax_loss"):
    return LossOf(lambda y_true, y_pred: sparsemax_loss(y_pred, sparsemax(y_pred), y_true), name)


class WeightedKappaLoss(tf.keras.losses.Loss):
    # kappa_loss.py
    def __init__(self, num_classes, weightage="quadratic", name="cohen_kappa_loss", epsilon=1e-6, reduction="none"):
        super().__init__(name=name)
        self.num_classes, self.weightage, self.epsilon = num_classes, weightage, epsilon
        labels = tf.range(num_classes, dtype=tf.float32)
        self.row, self.column = tf.reshape(labels, [1, num_classes]), tf.reshape(labels, [num_classes, 1])
        self.weights = self.weigh(tf.tile(self.column, [1, num_classes]) - tf.tile(self.row, [num_classes, 1]))

    def weigh(self, differences):
        return tf.abs(differences) if self.weightage == "linear" else differences ** 2

    def call(self, y_true, y_pred):
        y_true, y_pred = tf.cast(y_true, tf.float32), tf.cast(y_pred, tf.float32)
        rows = tf.shape(y_true)[0]
        labels = tf.tile(tf.matmul(y_true, self.column), [1, self.num_classes])
        above = tf.reduce_sum(self.weigh(labels - tf.tile(self.row, [rows, 1])) * y_pred)
        guessed = tf.matmul(self.weights, tf.reduce_sum(y_pred, axis=0, keepdims=True), transpose_b=True)
        below = tf.reduce_sum(tf.matmul(tf.reduce_sum(y_true, axis=0, keepdims=True), guessed)) / tf.cast(rows, tf.float32)
        return tf.math.log(tf.math.divide_no_nan(above, below) + self.epsilon)
