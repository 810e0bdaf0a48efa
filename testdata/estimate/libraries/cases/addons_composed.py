# The optimizers of TensorFlow Addons for whose updates TensorFlow has no kernel, a training each where the
# update is the most and one where the batch is.
import numpy as np
import tensorflow as tf
import tensorflow_addons as tfa


def train(optimizer):
    for batch in 64, 1024:
        model = tf.keras.Sequential([
            tf.keras.Input((1024,)),
            tf.keras.layers.Dense(2048, activation="tanh"),
            tf.keras.layers.Dense(512, activation="tanh"),
            tf.keras.layers.Dense(10),
        ])
        model.compile(optimizer(), tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True))
        model.fit(np.zeros((2048, 1024), "float32"), np.zeros(2048, "int32"), batch_size=batch)


train(lambda: tfa.optimizers.LAMB(1e-3))
train(lambda: tfa.optimizers.LAMB(1e-3, weight_decay_rate=0.01, exclude_from_weight_decay=["bias"]))
train(lambda: tfa.optimizers.RectifiedAdam())
train(lambda: tfa.optimizers.RectifiedAdam(1e-3, weight_decay=1e-4, amsgrad=True))
train(lambda: tfa.optimizers.AdaBelief(1e-3))
train(lambda: tfa.optimizers.AdaBelief(amsgrad=True, rectify=False))
train(lambda: tfa.optimizers.Yogi(1e-3))
train(lambda: tfa.optimizers.Yogi(1e-3, beta1=0.0))
train(lambda: tfa.optimizers.NovoGrad(1e-3))
train(lambda: tfa.optimizers.NovoGrad(1e-3, amsgrad=True))
train(lambda: tfa.optimizers.COCOB())
train(lambda: tfa.optimizers.ConditionalGradient(0.1))
