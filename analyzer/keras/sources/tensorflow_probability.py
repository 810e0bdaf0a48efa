# Distributions of TensorFlow Probability, as far as shapes and memory depend on them.
import math

import tensorflow as tf


class Distribution:
    # tensorflow_probability/python/distributions/distribution.py
    def sample(self, sample_shape=(), seed=None, name="sample", **kwargs):
        if isinstance(sample_shape, int):
            sample_shape = (sample_shape,)
        return self._sample(tuple(sample_shape))

    def log_prob(self, value, name="log_prob", **kwargs):
        return self._log_prob(tf.convert_to_tensor(value))

    def prob(self, value, name="prob", **kwargs):
        return tf.exp(self.log_prob(value))

    def mean(self, **kwargs):
        return self._mean()

    def mode(self, **kwargs):
        return self._mode()

    def entropy(self, **kwargs):
        return self._entropy()

    def kl_divergence(self, other, name="kl_divergence"):
        return kl_divergence(self, other)


class Normal(Distribution):
    # tensorflow_probability/python/distributions/normal.py
    def __init__(self, loc, scale, validate_args=False, allow_nan_stats=True, name="Normal"):
        self.loc = tf.convert_to_tensor(loc, dtype=tf.float32)
        self.scale = tf.convert_to_tensor(scale, dtype=tf.float32)

    def _sample(self, sample_shape):
        like = self.loc if len(self.loc.shape) >= len(self.scale.shape) else self.scale
        sampled = tf.random.normal(tf.concat([sample_shape, tf.shape(like)], 0) if sample_shape else tf.shape(like))
        return sampled * self.scale + self.loc

    def _log_prob(self, x):
        log_unnormalized = -0.5 * tf.math.squared_difference(x / self.scale, self.loc / self.scale)
        return log_unnormalized - (0.5 * math.log(2 * math.pi) + tf.math.log(self.scale))

    def _mean(self):
        return self.loc * tf.ones_like(self.scale)

    def _mode(self):
        return self._mean()

    def stddev(self, name="stddev"):
        return self.scale * tf.ones_like(self.loc)

    def _entropy(self):
        return (0.5 + (0.5 * math.log(2 * math.pi) + tf.math.log(self.scale))) * tf.ones_like(self.loc)


class MultivariateNormalDiag(Distribution):
    # tensorflow_probability/python/distributions/mvn_diag.py, mvn_linear_operator.py: a transformed Normal
    def __init__(self, loc=None, scale_diag=None, validate_args=False, allow_nan_stats=True, name="MultivariateNormalDiag"):
        self.loc = tf.convert_to_tensor(loc, dtype=tf.float32)
        self.scale_diag = tf.ones_like(self.loc) if scale_diag is None else tf.convert_to_tensor(scale_diag, dtype=tf.float32)

    def _sample(self, sample_shape):
        sampled = tf.random.normal(tf.concat([sample_shape, tf.shape(self.loc)], 0) if sample_shape else tf.shape(self.loc))
        return sampled * self.scale_diag + self.loc

    def _log_prob(self, x):
        z = (x - self.loc) / self.scale_diag
        each = -0.5 * tf.math.squared_difference(z, 0.0) - 0.5 * math.log(2 * math.pi)
        return tf.reduce_sum(each, -1) - tf.reduce_sum(tf.math.log(tf.abs(self.scale_diag)), -1)

    def _mean(self):
        return tf.identity(self.loc)

    def _mode(self):
        return self._mean()

    def stddev(self, name="stddev"):
        return tf.abs(self.scale_diag) * tf.ones_like(self.loc)

    def _entropy(self):
        each = tf.reduce_sum((0.5 + 0.5 * math.log(2 * math.pi)) * tf.ones_like(self.loc), -1)
        return each + tf.reduce_sum(tf.math.log(tf.abs(self.scale_diag)), -1)


class Categorical(Distribution):
    # tensorflow_probability/python/distributions/categorical.py
    def __init__(self, logits=None, probs=None, dtype=tf.int32, force_probs_to_zero_outside_support=False,
                 validate_args=False, allow_nan_stats=True, name="Categorical"):
        self.probs = None if probs is None else tf.convert_to_tensor(probs, dtype=tf.float32)
        self.logits = None if logits is None else tf.convert_to_tensor(logits, dtype=tf.float32)
        self.dtype = dtype

    def logits_parameter(self, name=None):
        if self.logits is None:
            return tf.math.log(self.probs)
        return tf.identity(self.logits)

    def probs_parameter(self, name=None):
        if self.logits is None:
            return tf.identity(self.probs)
        return tf.math.softmax(self.logits)

    def _sample(self, sample_shape):
        logits = self.logits_parameter()
        many = 1
        for n in sample_shape:
            many *= n
        draws = tf.random.categorical(tf.reshape(logits, [-1, logits.shape[-1]]), many, dtype=self.dtype)
        rows = tf.shape(logits)[:-1]
        return tf.reshape(tf.transpose(draws), tf.concat([sample_shape, rows], 0) if sample_shape else rows)

    def _log_prob(self, k):
        return -tf.nn.sparse_softmax_cross_entropy_with_logits(labels=tf.cast(k, tf.int32), logits=self.logits_parameter())

    def _mode(self):
        return tf.cast(tf.argmax(self.probs if self.logits is None else self.logits, axis=-1), self.dtype)

    def _entropy(self):
        log_probs = tf.math.log(self.probs) if self.logits is None else tf.math.log_softmax(self.logits)
        probs = tf.exp(log_probs)
        x = tf.where(tf.math.equal(probs, 0), tf.zeros_like(log_probs), log_probs)
        return -tf.reduce_sum(x * probs, axis=-1)


class Bernoulli(Distribution):
    # tensorflow_probability/python/distributions/bernoulli.py
    def __init__(self, logits=None, probs=None, dtype=tf.int32, validate_args=False, allow_nan_stats=True, name="Bernoulli"):
        self.probs = None if probs is None else tf.convert_to_tensor(probs, dtype=tf.float32)
        self.logits = None if logits is None else tf.convert_to_tensor(logits, dtype=tf.float32)
        self.dtype = dtype

    def probs_parameter(self, name=None):
        if self.logits is None:
            return tf.identity(self.probs)
        return tf.math.sigmoid(self.logits)

    def _sample(self, sample_shape):
        probs = self.probs_parameter()
        uniform = tf.random.uniform(tf.concat([sample_shape, tf.shape(probs)], 0) if sample_shape else tf.shape(probs))
        return tf.cast(tf.less(uniform, probs), self.dtype)

    def _log_prob(self, event):
        if self.logits is None:
            log_probs0, log_probs1 = tf.math.log1p(-self.probs), tf.math.log(self.probs)
        else:
            log_probs0, log_probs1 = -tf.math.softplus(self.logits), -tf.math.softplus(-self.logits)
        event = tf.cast(event, tf.float32)
        return tf.math.multiply_no_nan(log_probs0, 1 - event) + tf.math.multiply_no_nan(log_probs1, event)

    def _mean(self):
        return self.probs_parameter()


def kl_divergence(distribution_a, distribution_b, allow_nan_stats=True, name=None):
    a, b = distribution_a, distribution_b
    if isinstance(a, Normal):
        difference = tf.math.log(a.scale) - tf.math.log(b.scale)
        return (0.5 * tf.math.squared_difference(a.loc / b.scale, b.loc / b.scale)
                + 0.5 * tf.math.expm1(2.0 * difference) - difference)
    if isinstance(a, Categorical):
        a_logits, b_logits = a.logits_parameter(), b.logits_parameter()
        return tf.reduce_sum(tf.math.softmax(a_logits) * (tf.math.log_softmax(a_logits) - tf.math.log_softmax(b_logits)), axis=-1)
    raise NotImplementedError
