import numpy as np
import tensorflow as tf
from tensorflow.keras import Model, layers


class LayerScale(layers.Layer):
    def __init__(self, init_values, projection_dim, **kwargs):
        super().__init__(**kwargs)
        self.init_values = init_values
        self.projection_dim = projection_dim

    def build(self, _):
        self.gamma = self.add_weight(
            name="gamma",
            shape=(self.projection_dim,),
            initializer=tf.keras.initializers.Constant(self.init_values),
            trainable=True,
        )

    def call(self, x):
        return x * self.gamma


class StochasticDepth(layers.Layer):
    """Drops the whole residual branch of some samples."""

    def __init__(self, drop_path, **kwargs):
        super().__init__(**kwargs)
        self.drop_path = drop_path

    def call(self, x, training=None):
        if training:
            keep_prob = 1 - self.drop_path
            shape = (tf.shape(x)[0],) + (1,) * (len(x.shape) - 1)
            random_tensor = keep_prob + tf.random.uniform(shape, 0, 1)
            random_tensor = tf.floor(random_tensor)
            return (x / keep_prob) * random_tensor
        return x


class Block(layers.Layer):
    def __init__(self, dim, drop_path=0.0, layer_scale_init_value=1e-6, **kwargs):
        super().__init__(**kwargs)
        self.dwconv = layers.DepthwiseConv2D(kernel_size=7, padding="same")
        self.norm = layers.LayerNormalization(epsilon=1e-6)
        self.pwconv1 = layers.Dense(4 * dim)
        self.act = layers.Activation("gelu")
        self.pwconv2 = layers.Dense(dim)
        self.scale = LayerScale(layer_scale_init_value, dim)
        self.drop_path = StochasticDepth(drop_path) if drop_path > 0.0 else layers.Activation("linear")

    def call(self, inputs, training=None):
        x = self.dwconv(inputs)
        x = self.norm(x)
        x = self.pwconv1(x)
        x = self.act(x)
        x = self.pwconv2(x)
        x = self.scale(x)
        return inputs + self.drop_path(x, training=training)


class ConvNeXt(Model):
    def __init__(self, num_classes, depths=(2, 2, 4, 2), dims=(48, 96, 192, 384), drop_path_rate=0.1):
        super().__init__()
        self.downsample_layers = []
        stem = tf.keras.Sequential([
            layers.Conv2D(dims[0], kernel_size=4, strides=4),
            layers.LayerNormalization(epsilon=1e-6),
        ])
        self.downsample_layers.append(stem)
        for i in range(3):
            self.downsample_layers.append(tf.keras.Sequential([
                layers.LayerNormalization(epsilon=1e-6),
                layers.Conv2D(dims[i + 1], kernel_size=2, strides=2),
            ]))
        rates = [float(x) for x in np.linspace(0.0, drop_path_rate, sum(depths))]
        self.stages = []
        cur = 0
        for i in range(4):
            self.stages.append(tf.keras.Sequential(
                [Block(dim=dims[i], drop_path=rates[cur + j]) for j in range(depths[i])]
            ))
            cur += depths[i]
        self.pool = layers.GlobalAveragePooling2D()
        self.norm = layers.LayerNormalization(epsilon=1e-6)
        self.head = layers.Dense(num_classes)

    def call(self, x):
        for down, stage in zip(self.downsample_layers, self.stages):
            x = down(x)
            x = stage(x)
        return self.head(self.norm(self.pool(x)))


def main():
    x = np.random.normal(size=(64, 128, 128, 3)).astype("float32")
    y = np.random.randint(0, 20, size=(64,))
    model = ConvNeXt(20)
    model.build((None, 128, 128, 3))
    lr = tf.keras.optimizers.schedules.CosineDecay(4e-3, decay_steps=1000)
    model.compile(
        optimizer=tf.keras.optimizers.AdamW(learning_rate=lr, weight_decay=0.05),
        loss=tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True),
        metrics=["accuracy"],
    )
    model.fit(x, y, batch_size=16, epochs=1)


if __name__ == "__main__":
    main()
