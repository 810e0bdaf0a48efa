"""SegFormer-like: efficient self-attention with sequence reduction and an all-MLP decoder."""
import numpy as np
import keras
from keras import layers, ops

cfg = dict(img=128, dims=[32, 64, 160], heads=[1, 2, 5], sr=[8, 4, 2], depth=[2, 2, 2], decode=128, classes=12, bs=8)


class EfficientAttention(layers.Layer):
    def __init__(self, dim, heads, sr):
        super().__init__()
        self.dim, self.heads, self.sr = dim, heads, sr
        self.q = layers.Dense(dim)
        self.kv = layers.Dense(dim * 2)
        self.proj = layers.Dense(dim)
        if sr > 1:
            self.sr_conv = layers.Conv2D(dim, sr, strides=sr)
            self.norm = layers.LayerNormalization()

    def call(self, x, H, W):
        b, n, c = x.shape
        d = c // self.heads
        q = ops.transpose(ops.reshape(self.q(x), (-1, n, self.heads, d)), (0, 2, 1, 3))
        if self.sr > 1:
            x = ops.reshape(x, (-1, H, W, c))
            x = self.sr_conv(x)
            x = self.norm(ops.reshape(x, (-1, x.shape[1] * x.shape[2], c)))
        kv = ops.reshape(self.kv(x), (-1, x.shape[1], 2, self.heads, d))
        kv = ops.transpose(kv, (2, 0, 3, 1, 4))
        k, v = kv[0], kv[1]
        attn = ops.softmax(ops.matmul(q, ops.transpose(k, (0, 1, 3, 2))) * (d ** -0.5), axis=-1)
        out = ops.reshape(ops.transpose(ops.matmul(attn, v), (0, 2, 1, 3)), (-1, n, c))
        return self.proj(out)


class MixFFN(layers.Layer):
    def __init__(self, dim, hidden):
        super().__init__()
        self.fc1 = layers.Dense(hidden)
        self.dw = layers.DepthwiseConv2D(3, padding="same")
        self.fc2 = layers.Dense(dim)

    def call(self, x, H, W):
        x = self.fc1(x)
        n, c = x.shape[1], x.shape[2]
        x = self.dw(ops.reshape(x, (-1, H, W, c)))
        x = ops.gelu(ops.reshape(x, (-1, n, c)))
        return self.fc2(x)


class EncoderBlock(layers.Layer):
    def __init__(self, dim, heads, sr, mlp_ratio=4):
        super().__init__()
        self.n1 = layers.LayerNormalization(epsilon=1e-6)
        self.attn = EfficientAttention(dim, heads, sr)
        self.n2 = layers.LayerNormalization(epsilon=1e-6)
        self.ffn = MixFFN(dim, dim * mlp_ratio)

    def call(self, x, H, W):
        x = x + self.attn(self.n1(x), H=H, W=W)
        return x + self.ffn(self.n2(x), H=H, W=W)


image = keras.Input((cfg["img"], cfg["img"], 3))
x = image
features = []
for i, dim in enumerate(cfg["dims"]):
    x = layers.Conv2D(dim, 7 if i == 0 else 3, strides=4 if i == 0 else 2, padding="same")(x)
    H, W = x.shape[1], x.shape[2]
    x = layers.Reshape((H * W, dim))(x)
    x = layers.LayerNormalization()(x)
    for _ in range(cfg["depth"][i]):
        x = EncoderBlock(dim, cfg["heads"][i], cfg["sr"][i])(x, H=H, W=W)
    x = layers.LayerNormalization()(x)
    x = layers.Reshape((H, W, dim))(x)
    features.append(x)

H = W = cfg["img"] // 4
merged = []
for f in reversed(features):
    h = layers.Dense(cfg["decode"])(f)
    if h.shape[1] != H:
        h = layers.Resizing(H, W, interpolation="bilinear")(h)
    merged.append(h)
x = layers.Concatenate()(merged)
x = layers.Conv2D(cfg["decode"], 1, use_bias=False)(x)
x = layers.BatchNormalization()(x)
x = layers.ReLU()(x)
x = layers.Dropout(0.1)(x)
x = layers.Conv2D(cfg["classes"], 1)(x)
x = layers.UpSampling2D(4, interpolation="bilinear")(x)
model = keras.Model(image, layers.Softmax()(x))


class MeanIoU(keras.metrics.MeanIoU):
    def update_state(self, y_true, y_pred, sample_weight=None):
        return super().update_state(y_true, ops.argmax(y_pred, axis=-1), sample_weight)


model.compile(optimizer=keras.optimizers.Lion(1e-4), loss="sparse_categorical_crossentropy", metrics=[MeanIoU(num_classes=12)])
xs = np.random.rand(32, 128, 128, 3).astype("float32")
ys = np.random.randint(0, 12, (32, 128, 128))
model.fit(xs, ys, batch_size=cfg["bs"], epochs=1)
