class CustomScaleLayer(keras.layers.Layer):  # InceptionResNetV2's
    def __init__(self, scale, **kwargs):
        super().__init__(**kwargs)
        self.scale = scale

    def call(self, pair):
        return pair[0] + pair[1] * self.scale


class LayerScale(keras.layers.Layer):  # ConvNeXt's
    def __init__(self, init_values, projection_dim, **kwargs):
        super().__init__(**kwargs)
        self.width = projection_dim

    def build(self, _):
        self.gamma = self.add_weight(shape=(self.width,))

    def call(self, x):
        return x * self.gamma


class StochasticDepth(keras.layers.Layer):  # ConvNeXt's
    def __init__(self, drop_path_rate, **kwargs):
        super().__init__(**kwargs)
        self.rate = drop_path_rate

    def call(self, x, training=None):
        if not training:
            return x
        ones = (keras.ops.shape(x)[0],) + (1,) * (len(x.shape) - 1)
        kept = keras.ops.floor(1 - self.rate + keras.random.uniform(ones))
        return x / (1 - self.rate) * kept
