"""Models made of the layers of others, by their place and name."""

from tensorflow import keras
from tensorflow.keras import layers

A = keras.applications
inc = A.InceptionV3(weights=None, input_shape=(96, 96, 3), include_top=False)
cut_at = keras.Model(inc.input, layers.Dense(3)(layers.Flatten()(inc.layers[132].output)))
two_cuts = keras.Model(inc.inputs, [inc.get_layer("mixed5").output, inc.layers[-30].output])
r = A.ResNet50(weights=None, input_shape=(64, 64, 3))
features = keras.Model(r.input, r.layers[-2].output)
before_pool = keras.Model(r.input, layers.Dense(10)(r.layers[-3].output))
d = A.DenseNet169(weights=None, input_shape=(64, 64, 3), include_top=False)
pyramid = keras.Model(inputs=d.input, outputs=[d.layers[k].output for k in (50, 138, 366, -1)])
e = A.EfficientNetB1(weights=None, include_top=False, input_shape=(64, 64, 3))
skips = [e.get_layer(n).output for n in ("block2a_expand_activation", "block3a_expand_activation", "block4a_expand_activation", "block6a_expand_activation")]
y = e.output
for s in reversed(skips):
    y = layers.Conv2DTranspose(32, 2, strides=2)(y)
    y = layers.Concatenate()([y, s])
    y = layers.Conv2D(32, 3, padding="same", activation="relu")(y)
unet = keras.Model(e.input, layers.Conv2D(2, 1)(y))


def branch(n):
    i = keras.Input((16,))
    a = layers.Dense(8 * n, name="left")(i)
    a = layers.Dense(3, name="left2")(a)
    b = layers.Dense(5 * n, name="right")(i)
    c = layers.Concatenate(name="cat")([a, b])
    return keras.Model(i, layers.Dense(2, name="out")(c), name=f"branch{n}")


b1, b2 = branch(1), branch(2)
i = keras.Input((16,))
twins = keras.Model(i, layers.Add()([b1(i), b2(i)]))
for l in twins.layers:
    if isinstance(l, keras.Model):
        l.layers[2].trainable = False
copied = keras.models.clone_model(b1)
copied.layers[1].trainable = False
first_three = keras.Sequential(r.layers[:3])
left = keras.Model(b1.input, b1.layers[3].output)
w = [l for l in twins.layers if l.weights]
counted = keras.Sequential([keras.Input((4,)), layers.Dense(len(w)), layers.Dense(len(inc.layers)), layers.Dense(len(twins.layers))])
vals = {l.name: l.count_params() for l in unet.layers if l.count_params() > 300000}
weighed = keras.Sequential([keras.Input((4,)), layers.Dense(len(vals)), layers.Dense(max(vals.values()) // 1000)])

vgg = keras.applications.VGG16(weights=None, input_shape=(64, 64, 3), include_top=False)
stacked = keras.Sequential()
for layer in vgg.layers:
    stacked.add(layer)
for layer in stacked.layers:
    layer.trainable = False
stacked.add(layers.Flatten())
stacked.add(layers.Dense(10))
shortened = keras.Sequential()
for layer in vgg.layers[:-4]:
    shortened.add(layer)
shortened.add(layers.GlobalAvgPool2D())
shortened.add(layers.Dense(2))
