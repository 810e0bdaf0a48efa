import tensorflow as tf
from tensorflow import keras
from tensorflow.keras import layers
import einops
from einops import rearrange, reduce, repeat
from einops.layers.tensorflow import Rearrange

class Attention(layers.Layer):
    def __init__(self, dim, heads=4, dim_head=16):
        super().__init__()
        self.heads = heads
        self.to_qkv = layers.Dense(dim_head * heads * 3, use_bias=False)
        self.to_out = layers.Dense(dim)
    def call(self, x):
        q, k, v = tf.split(self.to_qkv(x), 3, axis=-1)
        q, k, v = map(lambda t: rearrange(t, 'b n (h d) -> b h n d', h=self.heads), (q, k, v))
        a = tf.nn.softmax(tf.einsum('b h i d, b h j d -> b h i j', q, k))
        out = tf.einsum('b h i j, b h j d -> b h i d', a, v)
        return self.to_out(rearrange(out, 'b h n d -> b n (h d)'))

class ViT(keras.Model):
    def __init__(self, dim=64):
        super().__init__()
        self.embed = keras.Sequential([Rearrange('b (h p1) (w p2) c -> b (h w) (p1 p2 c)', p1=8, p2=8), layers.Dense(dim)])
        self.cls = self.add_weight(shape=(1, 1, dim), initializer='zeros', name='cls')
        self.att = Attention(dim)
        self.head = layers.Dense(10)
    def call(self, x):
        x = self.embed(x)
        cls = repeat(tf.convert_to_tensor(self.cls), '() n d -> b n d', b=tf.shape(x)[0])
        x = tf.concat([cls, x], axis=1)
        x = self.att(x)
        x = reduce(x, 'b n d -> b d', 'mean')
        return self.head(x)
vit = ViT()
vit(tf.zeros((4, 32, 32, 3)))

v = i = keras.Input((10, 32, 32, 3))
class Resize(layers.Layer):
    def call(self, video):
        old = einops.parse_shape(video, 'b t h w c')
        images = rearrange(video, 'b t h w c -> (b t) h w c')
        images = tf.image.resize(images, (16, 16))
        return rearrange(images, '(b t) h w c -> b t h w c', t=old['t'])
v = Resize()(v)
v = layers.Conv3D(8, 3)(v)
v = layers.Flatten()(v)
video = keras.Model(i, layers.Dense(5)(v))
x = i = keras.Input((16, 16, 6))
x = layers.Lambda(lambda t: rearrange(t, '... (g c) -> ... g c', g=2))(x)
x = layers.Lambda(lambda t: reduce(t, 'b (h k1) (w k2) g c -> b h w (g c)', 'max', k1=2, k2=2))(x)
x = layers.Lambda(lambda t: repeat(t, 'b h w c -> b (h u) w c', u=3))(x)
small = keras.Model(i, layers.Dense(7)(layers.Flatten()(x)))
