import numpy as np
import tensorflow as tf
from tensorflow.keras.layers import Activation, Add, Conv1D, Input, Lambda, Multiply
from tensorflow.keras.models import Model

QUANT = 256
SAMPLES = 2048
STACKS = 2
LAYERS_PER_STACK = 6
RES, SKIP = 24, 48


def residual_block(x, dilation):
    original = x
    tanh_out = Conv1D(RES, 2, dilation_rate=dilation, padding="causal", activation="tanh")(x)
    sigm_out = Conv1D(RES, 2, dilation_rate=dilation, padding="causal", activation="sigmoid")(x)
    z = Multiply()([tanh_out, sigm_out])
    res = Conv1D(RES, 1, padding="same")(z)
    skip = Conv1D(SKIP, 1, padding="same")(z)
    return Add()([original, res]), skip


inp = Input((SAMPLES,), dtype="int32")
x = Lambda(lambda t: tf.one_hot(t, QUANT), output_shape=(SAMPLES, QUANT))(inp)
x = Conv1D(RES, 2, padding="causal")(x)
skips = []
for s in range(STACKS):
    for i in range(LAYERS_PER_STACK):
        x, skip = residual_block(x, 2 ** i)
        skips.append(skip)
x = Add()(skips)
x = Activation("relu")(x)
x = Conv1D(SKIP, 1, activation="relu")(x)
out = Conv1D(QUANT, 1, activation="softmax")(x)
model = Model(inp, out)
model.compile(optimizer="adam", loss="sparse_categorical_crossentropy")
wav = np.random.randint(0, QUANT, (24, SAMPLES + 1))
model.fit(wav[:, :-1], wav[:, 1:], batch_size=4, epochs=1)
