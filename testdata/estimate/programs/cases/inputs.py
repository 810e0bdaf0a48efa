"""Models that are taken apart by the names of their layers, and given back."""

import keras
from keras import layers
from keras.applications import inception_v3, vgg19

base = vgg19.VGG19(include_top=False, weights=None)
outputs = dict([(layer.name, layer.output) for layer in base.layers])
features = keras.Model(inputs=base.inputs, outputs=outputs)
picked = keras.Model(base.layers[0].output, [outputs["block2_conv1"], outputs["block4_conv2"]])

image = keras.Input((96, 96, 3), name="image")
x = layers.Lambda(vgg19.preprocess_input)(image)
deep, deeper = picked(x)
x = layers.Concatenate()([layers.GlobalAveragePooling2D()(deep), layers.GlobalAveragePooling2D()(deeper)])
perceptual = keras.Model(image, layers.Dense(1)(x))

scaled = keras.Input((80, 80, 3))
y = inception_v3.InceptionV3(include_top=False, weights=None, pooling="avg")(inception_v3.preprocess_input(scaled))
inception = keras.Model(scaled, layers.Dense(3)(y))

# What several outputs come in is a list, which may be changed.
stages = keras.Model(base.input, [base.get_layer(n).output for n in ("block3_pool", "block5_pool")])
stages.trainable = False
levels = stages(image)
levels[-1] = layers.Conv2D(64, 1)(levels[-1])
coarse, fine = levels[1], levels[0]
fine = layers.Conv2D(64, 1)(fine)
pyramid = keras.Model(image, [fine, coarse])

# And a dictionary a dictionary.
heads = keras.Model(image, {"mean": layers.GlobalAveragePooling2D()(coarse), "most": layers.GlobalMaxPooling2D()(fine)})
both = heads(image)
joined = keras.Model(image, layers.Dense(2)(layers.concatenate([both["mean"], both["most"]])))
again = keras.Model(heads.get_layer("image").output, layers.Dense(7)(both["mean"]))
