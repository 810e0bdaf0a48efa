"""Writes calls of Keras and TensorFlow, and whether a real one raises an error:

    python generate.py --out keras3.json
    TF_USE_LEGACY_KERAS=1 python generate.py --out tf_keras.json

With --seconds it stops after that time. The same command runs what the record lacks, and adds it.

Each row of CALLS stands for a reason for which tfmem says that TensorFlow will raise, and is a
program with arguments in braces. The first value of each argument makes a program that should
raise. The others are put in one at a time: programs that differ from it in one argument, which
may run. A functional model is called, too. Nothing here says what they do; that is recorded.
"""

import argparse
import itertools
import json
import os
import re
import subprocess
import sys
import tempfile
import time

HEAD = "import numpy as np\nimport tensorflow as tf\nfrom tensorflow import keras\nL = keras.layers\n"
LAYER = "x = keras.Input({shape})\ny = {call}(x)\nmodel = keras.Model(x, y)\n"
CALLS = []


def row(program, **arguments):
    CALLS.append((program, {name: values if isinstance(values, list) else [values] for name, values in arguments.items()}))


def layer(call, shape, **arguments):
    """A layer that is called with one tensor."""
    row(LAYER.replace("{call}", call), shape=shape, **arguments)


def merge(call, a, b, **arguments):
    """A layer that is called with two tensors."""
    row("a = keras.Input({a})\nb = keras.Input({b})\ny = " + call + "([a, b])\nmodel = keras.Model([a, b], y)\n", a=a, b=b, **arguments)


def own(result, shape, **arguments):
    """A function on the tensor t in a layer of the program."""
    row("class Own(L.Layer):\n    def call(self, t):\n        return " + result + "\nx = keras.Input({shape})\ny = Own()(x)\nmodel = keras.Model(x, y)\n", shape=shape, **arguments)


def both(result, a, b, **arguments):
    """A function on the tensors a and b in a layer of the program."""
    row("class Own(L.Layer):\n    def call(self, t):\n        a, b = t\n        return " + result
        + "\na = keras.Input({a})\nb = keras.Input({b})\ny = Own()([a, b])\nmodel = keras.Model([a, b], y)\n", a=a, b=b, **arguments)


# Core layers
layer("L.Dense({units})", ["()", "(3,)", "(None, 3)", "(2, 2, 3)"], units=["4"])
layer("L.Dense({units})", ["(3,)"], units=["2.5", "4.0", "'4'", "True", "0", "-1", "None", "np.int64(4)", "4"])
layer("L.Dense(4, activation={activation})", ["(3,)"], activation=["'no_such'", "'relu'", "'ReLU'", "'Relu'", "'LeakyReLU'", "'leaky_relu'", "'softmax'", "'swish'", "'gelu'", "'mish'", "None", "tf.nn.relu", "'linear'", "''"])
layer("L.Dense(4, kernel_initializer={initializer})", ["(3,)"], initializer=["'no_such'", "'glorot_uniform'", "'GlorotUniform'", "'he_normal'", "'zeros'", "'zero'", "'normal'", "'uniform'", "'orthogonal'", "'lecun_normal'", "'constant'", "'glorotuniform'", "None"])
layer("L.Dense(4, {argument}=None)", ["(3,)"], argument=["no_such", "activation", "kernel_regularizer", "input_dim", "input_shape", "dtype", "name", "lora_rank", "bias", "init"])
layer("L.{layer}(2)", ["(6, 6, 3)"], layer=["LocallyConnected2D", "UpSampling2D", "ZeroPadding2D", "Cropping2D", "ThresholdedReLU", "ReLU"])
layer("L.Dropout({rate})", ["(3,)"], rate=["1.5", "-0.1", "0", "1", "0.5", "1.0", "None"])
for name in ["SpatialDropout1D", "GaussianDropout", "AlphaDropout"]:
    layer("L." + name + "({rate})", ["(5, 3)"], rate=["1.5", "0", "1", "0.5"])
layer("L.GaussianNoise({stddev})", ["(3,)"], stddev=["-1.0", "0.0", "1.0", "2.0"])
layer("L.Embedding({rows}, {columns})", ["(5,)", "()", "(2, 5)"], rows=["0", "10", "-1"], columns=["0", "4", "-1"])
layer("L.Flatten()", ["()", "(3,)", "(2, 3)"])
layer("L.Reshape({target})", ["(12,)", "(None,)", "(3, 4)"], target=["(5, 3)", "(4, 3)", "(-1, 3)", "(-1, 5)", "(-1, -1)", "(12,)", "(2, 2, 3)", "(2, -1)"])
layer("L.Permute({dims})", ["(3, 4)", "(3, 4, 5)"], dims=["(1, 3)", "(2, 1)", "(1, 2)", "(0, 1)", "(1, 1)", "(2, 3, 1)"])
layer("L.RepeatVector({n})", ["(3, 4)", "(3,)"], n=["2", "'2'", "2.0"])
layer("L.Softmax(axis={axis})", ["(3,)", "(3, 4)"], axis=["4", "-1", "1", "2", "-2", "0", "[1, 2]"])
layer("L.LeakyReLU({slope})", ["(3,)"], slope=["-0.1", "0.1", "0", "None", "0.3"])
layer("L.ReLU(negative_slope={slope})", ["(3,)"], slope=["-0.1", "0.1", "0.0", "None"])
layer("L.ELU(alpha={alpha})", ["(3,)"], alpha=["None", "0.1", "1.0", "-1.0"])
layer("L.PReLU(shared_axes={axes})", ["(4, 4, 3)"], axes=["[4]", "[1, 2]", "[3]", "[0]", "None", "[1]"])
layer("L.Masking({value})", ["(5, 3)", "()", "(3,)"], value=["0.0"])

# Convolutions
layer("L.Conv2D({filters}, {kernel}, strides={strides}, padding={padding}, dilation_rate={dilation}, groups={groups})", ["(4, 4, 3)", "(5, 5, 3)", "(None, None, 3)", "(4, 4)", "(1, 4, 4, 3)", "(4, 4, None)"],
      filters=["4", "3", "0"], kernel=["5", "3", "(5, 1)", "4", "(3, 3, 3)", "0"], strides=["1", "2", "(1, 2)", "0"], padding=["'valid'", "'same'", "'SAME'", "'causal'", "'full'"], dilation=["1", "2"], groups=["1", "3", "2"])
layer("L.Conv2D(4, 3, padding={padding}, data_format={format})", ["(8, 8, 4)"], padding=["'full'", "'same'", "'valid'", "'Same'", "'causal'"], format=["None", "'channels_last'", "'channels_first'", "'no_such'"])
layer("L.Conv2D(4, 3, strides={strides}, dilation_rate={dilation}, padding='same')", ["(8, 8, 4)"], strides=["2", "1", "(2, 1)"], dilation=["2", "1", "(1, 2)"])
layer("L.Conv2D({filters}, 3, groups={groups})", ["(8, 8, 3)", "(8, 8, 4)", "(8, 8, 2)"], filters=["4", "6", "2"], groups=["2", "1", "3"])
layer("L.Conv1D(4, {kernel}, padding={padding}, strides={strides}, dilation_rate={dilation})", ["(4, 3)", "(8, 3)", "(3,)", "(None, 3)"], kernel=["6", "3"], padding=["'valid'", "'same'", "'causal'"], strides=["1", "2"], dilation=["1", "2"])
layer("L.{layer}(4, 3)", ["(2, 8, 8, 8, 3)", "(2, 8, 8, 3)", "(8, 8, 8, 8, 3)", "(8, 8, 3)", "(8, 3)"], layer=["Conv2D", "Conv1D", "Conv3D", "Conv1DTranspose", "Conv2DTranspose", "SeparableConv1D", "SeparableConv2D"])
layer("L.Conv1D(4, 3, padding='causal', data_format={format})", ["(8, 3)"], format=["'channels_first'", "'channels_last'", "None"])
layer("L.Conv3D(4, {kernel}, padding={padding})", ["(4, 4, 4, 2)", "(6, 6, 6, 2)", "(4, 4, 2)"], kernel=["5", "3"], padding=["'valid'", "'same'"])
layer("L.Conv2DTranspose(4, {kernel}, strides={strides}, padding={padding}, output_padding={output}, dilation_rate={dilation})", ["(4, 4, 3)", "(4, 4)", "(None, None, 3)"],
      kernel=["3", "5"], strides=["2", "1", "3"], padding=["'full'", "'same'", "'valid'", "'causal'"], output=["None", "2", "1", "0"], dilation=["1", "2"])
layer("L.Conv2DTranspose(4, 3, strides={strides}, dilation_rate={dilation}, output_padding={output})", ["(4, 4, 3)"], strides=["2", "1"], dilation=["2", "1"], output=["2", "None", "1"])
layer("L.Conv1DTranspose(4, 3, strides={strides}, padding={padding}, output_padding={output})", ["(4, 3)", "(4,)"], strides=["2", "1"], padding=["'full'", "'same'", "'valid'"], output=["3", "None", "1"])
layer("L.DepthwiseConv2D({kernel}, strides={strides}, padding={padding}, dilation_rate={dilation})", ["(4, 4, 3)", "(6, 6, 3)"], kernel=["5", "3"], strides=["1", "2", "(1, 2)"], padding=["'valid'", "'same'"], dilation=["1", "2"])
layer("L.SeparableConv2D(4, {kernel}, strides={strides}, padding={padding}, dilation_rate={dilation})", ["(4, 4, 3)", "(6, 6, 3)"], kernel=["5", "3"], strides=["1", "2", "(1, 2)"], padding=["'valid'", "'same'"], dilation=["1", "2"])
layer("L.SeparableConv1D(4, {kernel}, padding={padding})", ["(4, 3)", "(8, 3)"], kernel=["5", "3"], padding=["'valid'", "'same'", "'causal'"])
row("d = L.Conv2D(4, 3)\nx = keras.Input({a})\nd(x)\nz = keras.Input({b})\ny = d(z)\nmodel = keras.Model(z, y)\n", a=["(8, 8, 3)"], b=["(8, 8, 2)", "(8, 8, 3)", "(9, 8, 3)", "(8, 8, None)"])
row("d = L.Dense(4)\nx = keras.Input({a})\nd(x)\nz = keras.Input({b})\ny = d(z)\nmodel = keras.Model(z, y)\n", a=["(3,)"], b=["(2,)", "(3,)", "(5, 3)", "(None,)"])
for name in ["LSTM", "GRU", "SimpleRNN"]:
    row("d = L." + name + "(4)\nx = keras.Input({a})\nd(x)\nz = keras.Input({b})\ny = d(z)\nmodel = keras.Model(z, y)\n", a=["(5, 3)"], b=["(5, 2)", "(5, 3)", "(6, 3)", "(None, 3)"])
    layer("L." + name + "({units}, {argument}=True)", ["(3,)", "(5, 3)", "(None, 3)", "(5, 2, 3)", "(5, None)"], units=["0", "4", "2.5"], argument=["return_sequences", "unroll", "stateful", "no_such", "time_major", "go_backwards"])
row("d = L.ConvLSTM2D(4, 3)\nx = keras.Input({a})\nd(x)\nz = keras.Input({b})\ny = d(z)\nmodel = keras.Model(z, y)\n", a=["(5, 8, 8, 3)"], b=["(5, 8, 8, 2)", "(5, 8, 8, 3)", "(6, 8, 8, 3)"])
layer("L.ConvLSTM2D(4, {kernel}, padding={padding})", ["(5, 2, 2, 3)", "(5, 8, 8, 3)", "(8, 8, 3)"], kernel=["3", "1"], padding=["'valid'", "'same'"])
layer("L.RNN({cell})", ["(5, 3)", "(3,)"], cell=["L.Dense(3)", "L.LSTMCell(4)", "[L.GRUCell(4), L.GRUCell(5)]", "L.SimpleRNNCell(4)"])
row("d = L.BatchNormalization()\nx = keras.Input({a})\nd(x)\nz = keras.Input({b})\ny = d(z)\nmodel = keras.Model(z, y)\n", a=["(8, 8, 3)"], b=["(8, 8, 2)", "(8, 8, 3)", "(9, 9, 3)"])
row("d = L.LayerNormalization()\nx = keras.Input({a})\nd(x)\nz = keras.Input({b})\ny = d(z)\nmodel = keras.Model(z, y)\n", a=["(8, 3)"], b=["(8, 2)", "(8, 3)", "(9, 3)", "(3,)"])
layer("L.BatchNormalization(axis={axis})", ["(8, 8, 3)", "(8, 3)", "(None, None, None)"], axis=["4", "-1", "3", "1", "0", "[1, 2]"])
layer("L.LayerNormalization(axis={axis})", ["(8, 3)", "(3,)"], axis=["3", "-1", "1", "[1, 2]", "0", "-3", "None"])
layer("L.GroupNormalization({groups}, axis={axis})", ["(8, 8, 6)", "(8, 8, 8)"], groups=["4", "3", "-1", "1", "6", "12"], axis=["-1", "1", "5"])
layer("L.UnitNormalization(axis={axis})", ["(8, 3)"], axis=["3", "-1", "1"])
row("n = L.Normalization(axis={axis})\nx = keras.Input({shape})\ny = n(x)\nmodel = keras.Model(x, y)\n", axis=["3", "-1", "None"], shape=["(3,)", "(4, 3)"])

# Pools, borders
for name, shape, more in [("MaxPooling2D", "(2, 2, 3)", "(4, 4, 3)"), ("AveragePooling2D", "(2, 2, 3)", "(4, 4, 3)"), ("MaxPooling1D", "(2, 3)", "(4, 3)"), ("AveragePooling1D", "(2, 3)", "(4, 3)"), ("MaxPooling3D", "(2, 2, 2, 3)", "(4, 4, 4, 3)")]:
    layer("L." + name + "({pool}, strides={strides}, padding={padding})", [shape, more, "(3,)", shape.replace("2", "None")], pool=["3", "2", "1", "0"], strides=["None", "1", "0", "4"], padding=["'valid'", "'same'", "'SAME'", "'causal'", "'full'"])
    layer("L." + name + "()", [more])
layer("L.GlobalAveragePooling2D(keepdims={keep})", ["(8, 3)", "(8, 8, 3)", "(8, 8, 8, 3)"], keep=["False", "True"])
layer("L.GlobalMaxPooling1D()", ["(3,)", "(8, 3)", "(8, 8, 3)"])
layer("L.Cropping2D({crop})", ["(4, 4, 3)", "(6, 6, 3)", "(None, None, 3)"], crop=["2", "1", "((1, 2), (0, 1))", "((2, 2), (0, 0))", "(2, 3)", "-1"])
layer("L.Cropping1D({crop})", ["(4, 3)", "(6, 3)", "(None, 3)"], crop=["(2, 2)", "(1, 2)", "2", "1"])
layer("L.ZeroPadding2D({pad})", ["(4, 4, 3)", "(4, 3)"], pad=["((1, 1),)", "1", "(1, 2)", "((1, 0), (2, 1))", "(1, 2, 3)"])
layer("L.UpSampling2D({size}, interpolation={how})", ["(4, 4, 3)", "(4, 3)"], size=["2", "(2, 3)", "(2, 2, 2)", "0"], how=["'no_such'", "'nearest'", "'bilinear'", "'bicubic'", "'lanczos3'"])

# Merges
for name in ["Add", "Multiply", "Average", "Maximum"]:
    merge("L." + name + "()", ["(3,)", "(1,)", "(4,)", "(2, 4)"], ["(4,)", "(3,)", "(1,)", "(4, 3)", "(None,)"])
merge("L.Subtract()", ["(3,)", "(1,)"], ["(4,)", "(3,)", "(1,)"])
merge("L.Concatenate(axis={axis})", ["(2, 3)", "(3,)", "(None, 3)"], ["(3, 4)", "(2, 4)", "(3, 3)", "(2, 3)", "(4,)", "(None, 4)"], axis=["-1", "1", "3", "2", "0"])
merge("L.Dot(axes={axes})", ["(2, 3)", "(4, 3)", "(3,)"], ["(4, 5)", "(4, 3)", "(3, 5)", "(3,)"], axes=["2", "1", "(2, 1)", "(1, 2)", "(0, 1)", "(2, 2)", "-1"])
row("x = keras.Input({shape})\ny = L.Add()({given})\nmodel = keras.Model(x, y)\n", shape=["(3,)"], given=["[x]", "[x, x]", "x", "[]", "[x, x, x]"])
row("x = keras.Input({shape})\ny = L.Concatenate()({given})\nmodel = keras.Model(x, y)\n", shape=["(3,)"], given=["[]", "[x]", "[x, x]", "x"])
row("x = keras.Input({shape})\ny = L.Subtract()({given})\nmodel = keras.Model(x, y)\n", shape=["(3,)"], given=["[x]", "[x, x]", "[x, x, x]", "x"])
row("x = keras.Input({shape})\ny = L.Dot(1)({given})\nmodel = keras.Model(x, y)\n", shape=["(3,)"], given=["[x]", "[x, x]", "[x, x, x]"])

# Attention
row("q = keras.Input({q})\nv = keras.Input({v})\ny = L.MultiHeadAttention({heads}, {size}{more})(q, v)\nmodel = keras.Model([q, v], y)\n",
    q=["(5,)", "(5, 8)", "(2, 5, 8)", "(None, 8)"], v=["(6, 8)", "(6, 4)", "(6,)", "(2, 6, 8)"], heads=["2", "0"], size=["4", "0"], more=["", ", attention_axes=(1,)", ", attention_axes=(2,)", ", attention_axes=3", ", output_shape=3", ", value_dim=3", ", dropout=1.5", ", flash_attention=True"])
row("q = keras.Input({q})\nv = keras.Input({v})\ny = L.MultiHeadAttention(2, 4, attention_axes={axes})(q, v)\nmodel = keras.Model([q, v], y)\n", q=["(5, 8)", "(2, 5, 8)"], v=["(6, 8)", "(2, 6, 8)"], axes=["(2,)", "(1,)", "1", "(1, 2)", "None", "(3,)"])
row("m = L.MultiHeadAttention(2, 4)\nq = keras.Input({a})\nm(q, q)\nv = keras.Input({b})\ny = m(v, v)\nmodel = keras.Model(v, y)\n", a=["(5, 8)"], b=["(5, 6)", "(5, 8)", "(7, 8)"])
row("q = keras.Input({q})\nv = keras.Input({v})\ny = L.Attention(use_scale={scale})([q, v])\nmodel = keras.Model([q, v], y)\n", q=["(5, 8)", "(8,)", "(2, 5, 8)"], v=["(6, 4)", "(6, 8)", "(8,)", "(2, 6, 8)"], scale=["False", "True"])
row("q = keras.Input({q})\nv = keras.Input({v})\ny = L.AdditiveAttention(use_scale={scale})([q, v])\nmodel = keras.Model([q, v], y)\n", q=["(5, 8)", "(8,)"], v=["(6, 4)", "(6, 8)", "(6, 1)", "(8,)"], scale=["False", "True"])
row("q = keras.Input((5, 8))\ny = L.Attention()({given})\nmodel = keras.Model(q, y)\n", given=["[q]", "[q, q]", "[q, q, q]", "q", "[q, q, q, q]"])
row("q = keras.Input({q})\nv = keras.Input({v})\ny = L.GroupQueryAttention(4, {heads}, {groups})(q, v)\nmodel = keras.Model([q, v], y)\n", q=["(5, 8)", "(8,)"], v=["(6, 8)", "(6, 4)"], heads=["3", "4", "2"], groups=["2", "1", "3"])

# EinsumDense
layer("L.EinsumDense({equation}, output_shape={shape_out}, bias_axes={bias})", ["(3, 4)", "(3,)", "(None, 4)"], equation=["'abc,cd->abe'", "'abc,cd->abd'", "'abc,cde->abde'", "'ab,bc->ac'", "'...c,cd->...d'", "'abc,cd'", "'abc,bd->acd'"], shape_out=["(None, 5)", "(3, 5)", "(2, 5)", "5", "(3, 5, 6)", "(4,)"], bias=["None", "'d'", "'x'", "'e'", "'bd'"])

# Wrappers
layer("L.TimeDistributed({inner})", ["(3,)", "(5, 3)", "(None, 3)", "(5, 8, 8, 3)"], inner=["L.Dense(2)", "L.Conv2D(2, 3)", "L.Flatten()", "L.LSTM(2)"])
layer("L.Bidirectional({inner}, merge_mode={mode})", ["(5, 3)", "(3,)"], inner=["L.Dense(2)", "L.LSTM(2)", "L.GRU(2, return_sequences=True)", "L.RNN(L.LSTMCell(2))", "L.Conv1D(2, 3)"], mode=["'concat'", "'sum'", "None", "'no_such'"])
layer("L.SpectralNormalization({inner})", ["(8, 8, 3)"], inner=["L.Flatten()", "L.Conv2D(2, 3)", "L.ReLU()", "L.Dense(2)"])
layer("L.StackedRNNCells({cells})", ["(5, 3)"], cells=["[L.Dense(2)]"])
layer("L.Discretization({bins})", ["(3,)"], bins=["[0.0, 1.0]", "None"])
layer("L.CategoryEncoding({tokens}, output_mode={mode})", ["(3,)", "()"], tokens=["0", "4", "None"], mode=["'no_such'", "'one_hot'", "'multi_hot'", "'count'"])
layer("L.Rescaling({scale})", ["(4, 4, 3)"], scale=["None", "0.1", "[1.0, 2.0, 3.0]", "[1.0, 2.0]"])
layer("L.Resizing({height}, {width}, interpolation={how})", ["(4, 4, 3)", "(4, 3)"], height=["0", "2", "2.5"], width=["2", "0"], how=["'bilinear'", "'nearest'", "'no_such'"])
layer("L.CenterCrop({height}, {width})", ["(4, 4, 3)", "(4, 3)", "(None, None, 3)"], height=["6", "2"], width=["2", "6"])
layer("L.RandomCrop({height}, {width})", ["(4, 4, 3)", "(None, None, 3)"], height=["6", "2"], width=["2", "6"])
layer("L.MelSpectrogram(fft_length={length}, sequence_stride={stride})", ["(4, 4)", "(4000,)", "(4, 4, 4)"], length=["256", "100"], stride=["128", "0"])
layer("L.STFTSpectrogram(frame_length={length})", ["(4000,)", "(4000, 1)"], length=["256", "0"])

# Models
row("x = keras.Input((4,))\ny = L.Dense(2)(x)\nmodel = keras.Model({given})\n", given=["input=x, output=y", "inputs=x, outputs=y", "x, y", "[x], [y]", "inputs={'a': x}, outputs={'b': y}", "x"])
row("m = keras.Sequential([keras.Input({shape}), {first}])\nm.add({second})\nmodel = m\n", shape=["(4,)", "(4, 4)"], first=["L.Dense(2)", "L.Flatten()"], second=["keras.Input((2,))", "L.Dense(3)", "L.Flatten()", "L.InputLayer((2,))", "keras.Sequential([L.Dense(2)])", "3"])
row("base = keras.applications.{net}(weights={weights}, include_top={top}, input_shape={shape}, classes={classes})\nmodel = base\n", net=["MobileNetV2", "ResNet50"], weights=["None", "'no_such'"], top=["False", "True"], shape=["(16, 16, 3)", "(32, 32, 3)", "None", "(64, 64, 1)", "(48, 64, 3)"], classes=["10", "1000"])
row("base = keras.applications.InceptionV3(weights=None, include_top=False, input_shape={shape})\nmodel = base\n", shape=["(74, 74, 3)", "(75, 75, 3)", "(75, 74, 3)", "(None, None, 3)"])
row("base = keras.Sequential([keras.Input((8,)), L.Dense(4)])\nclass Own(keras.Model):\n    pass\nmodel = Own({given})\n", given=["3", "inputs=base.inputs, outputs=base.outputs", "inputs=base.input, outputs=base.output", "base.inputs, base.outputs", "base.input, base.output", "inputs=[base.input], outputs=base.output", "inputs=base.inputs, outputs=base.outputs[0]"])
CALL = "base = keras.Sequential([keras.Input((8,)), L.Dense(4)])\nclass Own(keras.Model):\n    pass\nm = Own({given})\nx = keras.Input((8,))\ny = L.{next}(m({called}))\nmodel = keras.Model(x, y)\n"
row(CALL, given=["inputs=base.inputs, outputs=base.outputs", "inputs=base.input, outputs=base.output", "base.inputs, [base.output, base.output]"], next=["Dense(3)", "Reshape((2, 2))", "Conv1D(2, 3)"], called=["x", "[x]", "[x, x]"])

# What fit, evaluate and predict are given
FIT = "model = keras.Sequential([keras.Input((8,)), L.Dense({units})])\nmodel.compile('sgd', {loss})\nmodel.fit(np.zeros((32, 8), 'float32'), np.zeros({labels}, {type}), verbose=0)\n"
for loss in ["categorical_crossentropy", "sparse_categorical_crossentropy", "binary_crossentropy", "mse", "mae", "huber", "hinge", "kld", "cosine_similarity", "poisson", "log_cosh"]:
    row(FIT.replace("{loss}", repr(loss)), units=["4", "1"], labels=["(32, 3)", "(32, 4)", "(32, 1)", "(32,)", "(32, 2, 4)"], type=["'float32'", "'int32'"])
row(FIT.replace("{type}", "'float32'"), units=["4"], labels=["(32, 4)", "(32,)"], loss=["'no_such'", "'mse'", "'MSE'", "'MeanSquaredError'", "'mean_squared_error'", "'msle'", "'bce'", "'logcosh'", "'cosine_proximity'", "'crps'", "'kullback_leibler_divergence'", "['mse']", "['mse', 'mse']", "None", "keras.losses.mse", "keras.losses.MeanSquaredError", "keras.losses.MeanSquaredError()"])
TWO = "x = keras.Input((8,))\nmodel = keras.Model(x, [L.Dense(3, name='a')(x), L.Dense(4, name='b')(x)])\nmodel.compile('sgd', {loss})\nmodel.fit(np.zeros((32, 8), 'float32'), {labels}, verbose=0)\n"
A, B = "np.zeros((32, 3), 'float32')", "np.zeros((32, 4), 'float32')"
row(TWO, loss=["'mse'", "['mse', 'mse']", "['mse']", "{'a': 'mse'}", "{'a': 'mse', 'b': 'mse'}", "['mse', None]", "keras.losses.MeanSquaredError()"], labels=[A, f"[{A}, {B}]", f"({A}, {B})", f"{{'a': {A}, 'b': {B}}}", f"[{A}]", f"[{B}, {A}]"])
DATA = "a = keras.Input((8,))\nb = keras.Input((8,))\ntwo = keras.Model([a, b], L.Dense(3)(L.Concatenate()([a, b])))\none = keras.Sequential([keras.Input((8,)), L.Dense(3)])\nfunctional = keras.Model(a, L.Dense(3)(a))\nunbuilt = keras.Sequential([L.Dense(3)])\nclass Own(keras.Model):\n    def __init__(self):\n        super().__init__()\n        self.d = L.Dense(3)\n    def call(self, x):\n        return self.d(x[0] if isinstance(x, (list, tuple)) else x)\nown = Own()\nv = np.zeros(8, 'float32')\nx = np.zeros((64, 8), 'float32')\nmodel = {model}\nmodel.{method}({given})\n"
GIVEN = ["x", "[x, x]", "[x]", "(x, x)", "[v, v]", "np.array([v, v])", "v", "[x, x[:32]]", "[x, x, x]", "[[1.0] * 8, [2.0] * 8]", "{'a': x}", "v[None]", "[v[None], v[None]]", "[list(v), list(v)]", "np.stack([v, v])", "tf.zeros((64, 8))", "[tf.zeros((64, 8)), tf.zeros((64, 8))]"]
for method in ["predict", "predict_on_batch", "__call__"]:
    for model in ["one", "two", "functional", "unbuilt", "own"]:
        row(DATA, model=model, method=method, given=GIVEN)
IMAGES = "one = keras.Sequential([keras.Input((8, 8, 3)), L.Flatten(), L.Dense(3)])\np = np.zeros((8, 8, 3), 'float32')\nmodel = one\nmodel.{method}({given})\n"
row(IMAGES, method=["predict", "predict_on_batch", "__call__"], given=["p", "[p, p]", "np.array([p, p])", "[p]", "p[None]", "[p[None]]", "[p[None], p[None]]", "np.expand_dims(p, 0)", "list(np.array([p, p]))", "(p[None],)"])

# Functions in a layer of the program
own("tf.reshape(t, {to})", ["(12,)", "(3, 4)", "(None,)"], to=["(-1, 5)", "(-1, 3, 4)", "(-1, 12)", "(-1,)", "(2, 2)", "(-1, -1)"])
own("tf.expand_dims(t, {axis})", ["(3,)"], axis=["4", "3", "2", "-1", "0", "-4", "-3"])
own("tf.squeeze(t, {axis})", ["(3, 4)", "(3, 1)", "(1, 4)", "(None, None)"], axis=["-1", "1", "2", "None", "4", "[1, 2]"])
own("tf.transpose(t, {order})", ["(3, 4)"], order=["[0, 1]", "[0, 2, 1]", "[0, 1, 1]", "None", "[2, 1, 0]", "[0, 1, 3]", "[-1, 1, 0]"])
own("tf.reduce_sum(t, axis={axis})", ["(3, 4)"], axis=["3", "-1", "[1, 2]", "-4", "0", "[1, 1]", "None"])
own("tf.argmax(t, axis={axis})", ["(3, 4)"], axis=["3", "-1", "1", "0"])
own("tf.split(t, {parts}, axis={axis})", ["(5, 4)", "(None, 4)"], parts=["2", "5", "4", "[2, 3]", "[2, 2]", "[-1, 2]", "[3, 2, 1]"], axis=["1", "2", "-1", "3"])
own("tf.concat([t, t[:, :{n}]], axis={axis})", ["(5, 4)"], n=["3", "5", "None"], axis=["2", "1", "-1", "3", "0"])
own("tf.stack([t, t[:, :{n}]], axis={axis})", ["(5, 4)"], n=["3", "5", "None"], axis=["2", "1", "-1", "4", "3"])
own("tf.tile(t, {times})", ["(3, 4)"], times=["[1, 2]", "[1, 2, 1]", "[1, 1, 2, 1]"])
own("tf.repeat(t, {times}, axis={axis})", ["(3, 4)"], times=["[1, 2]", "2", "[1, 2, 1]", "[2]"], axis=["1", "2", "0", "None"])
own("tf.gather(t, {at}, axis={axis}, batch_dims={batch})", ["(3, 4)", "(3,)"], at=["[0, 1]", "0"], axis=["3", "1", "2", "-1", "0"], batch=["0", "1", "2"])
own("tf.nn.top_k(t, {k})[0]", ["(3, 4)", "(3,)", "(None,)"], k=["5", "4", "3", "0"])
own("tf.linalg.diag_part(t)", ["()", "(3,)", "(3, 3)", "(3, 4)"])
own("tf.linalg.trace(t)", ["()", "(3,)", "(3, 3)"])
own("tf.linalg.inv(t)", ["(3, 4)", "(3, 3)", "(3,)", "(None, 3)"])
own("tf.norm(t, axis={axis})", ["(3, 4)"], axis=["3", "-1", "1", "[1, 2]", "None"])
own("tf.image.resize(t, {size})", ["(4, 3)", "(4, 4, 3)", "(3,)", "(2, 4, 4, 3)"], size=["(2, 2)", "(2,)", "2", "(0, 2)"])
own("tf.image.central_crop(t, {part})", ["(4, 3)", "(4, 4, 3)", "(3,)"], part=["0.5", "1.5", "0.0", "1.0"])
own("tf.image.random_crop(t, {size})", ["(4, 4, 3)"], size=["(1, 6, 6, 3)", "(1, 2, 2, 3)", "(2, 2, 3)", "(1, 4, 4, 3)"])
own("tf.image.total_variation(t)", ["(3,)", "(4, 4, 3)", "(4, 3)"])
own("tf.image.{function}(t)", ["(3,)", "(4, 3)", "(4, 4, 3)", "(4, 4, 1)"], function=["rgb_to_grayscale", "flip_left_right", "rot90", "grayscale_to_rgb", "sobel_edges", "image_gradients"])
own("tf.image.crop_to_bounding_box(t, 0, 0, {height}, {width})", ["(4, 4, 3)", "(None, None, 3)"], height=["6", "2"], width=["2", "6"])
own("tf.image.resize_with_crop_or_pad(t, {height}, {width})", ["(4, 4, 3)", "(4, 3)"], height=["6", "0", "-1"], width=["2", "6"])
own("tf.nn.{function}(t, {size}, {strides}, {padding})", ["(2, 2, 3)", "(4, 4, 3)", "(4, 3)"], function=["max_pool2d", "avg_pool2d"], size=["3", "2", "(2, 1)"], strides=["1", "2"], padding=["'VALID'", "'SAME'", "'valid'", "'no_such'"])
own("tf.nn.conv2d(t, tf.zeros({kernel}), {strides}, {padding})", ["(4, 4, 3)", "(4, 4, 2)", "(4, 3)", "(4, 4, 6)"], kernel=["(5, 5, 3, 4)", "(3, 3, 3, 4)", "(3, 3, 2, 4)", "(3, 3, 4)"], strides=["1", "2"], padding=["'VALID'", "'SAME'", "'same'"])
own("tf.nn.conv2d_transpose(t, tf.zeros({kernel}), {out}, {strides})", ["(4, 4, 3)", "(4, 4, 2)"], kernel=["(3, 3, 4, 2)", "(3, 3, 4, 3)"], out=["(1, 8, 8, 4)", "(2, 8, 8, 4)", "(1, 9, 9, 4)"], strides=["2", "1"])
own("tf.signal.frame(t, {length}, {step})", ["()", "(8,)", "(4, 8)"], length=["4", "10", "0"], step=["2", "0"])
own("tf.signal.{function}(t)", ["()", "(8,)", "(4, 8)"], function=["rfft", "rfft2d", "dct"])
own("tf.math.segment_sum(t, {at})", ["(3,)", "()"], at=["[0, 1]", "[0]", "[[0]]"])
own("tf.map_fn(lambda e: e * {by}, t)", ["()", "(3,)", "(3, 4)"], by=["2.0"])
own("tf.broadcast_to(t, {to})", ["(3,)", "(1,)"], to=["(4, 4)", "(4, 3)", "(1, 3)", "(2, 4, 3)"])
own("tf.pad(t, {pads})", ["(3, 4)"], pads=["[[0, 0], [1, 1]]", "[[0, 0], [1, 1], [0, 2]]", "[[0, 0]] * 3", "[[0, 0, 0]] * 3"])
own("tf.one_hot(tf.cast(t, tf.int32), {depth}, axis={axis})", ["(3,)"], depth=["4", "0", "-1"], axis=["-1", "4", "1", "2", "3"])
own("tf.ensure_shape(t, {shape_of})", ["(3,)", "(4,)", "(None,)"], shape_of=["(None, 4)", "(None, 3)", "(3,)", "(None, None)", "(None, None, 3)"])
own("tf.unstack(t, axis={axis})[0]", ["(3, 4)", "(None, 4)"], axis=["4", "1", "2", "-1"])
own("tf.roll(t, 1, {axis})", ["(3, 4)"], axis=["4", "1", "-1"])
own("tf.reverse(t, {axes})", ["(3, 4)"], axes=["[4]", "[1]", "[-1]", "[1, 1]"])
own("tf.cumsum(t, axis={axis})", ["(3, 4)"], axis=["4", "1", "-1", "0"])
own("tf.nn.softmax(t, axis={axis})", ["(3, 4)"], axis=["4", "1", "-1", "0", "-4"])
both("tf.matmul(a, b, transpose_b={transposed})", ["(2, 3)", "(3,)", "(5, 2, 3)"], ["(4, 5)", "(3, 5)", "(5, 3)", "(3,)", "(5, 3, 4)"], transposed=["False", "True"])
both("a @ b", ["(2, 3)", "(2, 4)", "(3,)"], ["(4, 5)", "(3, 5)", "(1, 3, 5)"])
both("tf.tensordot(a, b, {axes})", ["(2, 3)"], ["(4, 5)", "(3, 5)", "(2, 3)"], axes=["1", "[[2], [1]]", "4", "[[2], [2]]", "0"])
both("tf.einsum({equation}, a, b)", ["(2, 3)", "(3,)"], ["(4, 5)", "(3, 5)", "(2, 3)"], equation=["'bij,bjk->bik'", "'bij,bkj->bik'", "'bij,bkl->bi'", "'bi,bj->bij'", "'bij,bjk->bikx'", "'...ij,...jk->...ik'"])
for operator in ["+", "*", "-", "/"]:
    both(f"a {operator} b", ["(3,)", "(1,)", "(2, 4)"], ["(4,)", "(3,)", "(1,)", "(3, 1)", "(None,)"])
both("tf.where(a > 0, a, b)", ["(3,)", "(1,)"], ["(4,)", "(3,)", "(1,)"])
both("tf.maximum(a, b)", ["(3,)", "(1,)"], ["(4,)", "(3,)", "(1,)"])
both("tf.concat([a, b], {axis})", ["(2, 3)", "(3,)"], ["(3, 4)", "(2, 4)", "(3, 3)", "(4,)"], axis=["2", "1", "-1", "3"])
both("tf.stack([a, b], {axis})", ["(3,)", "(4,)"], ["(4,)", "(3,)", "(None,)"], axis=["1", "-1", "3", "2"])
both("tf.image.crop_and_resize(a, tf.zeros({boxes}), tf.zeros((2,), tf.int32), {size})", ["(4, 4, 3)", "(4, 3)"], ["(1,)"], boxes=["(2, 3)", "(2, 4)", "(4,)"], size=["(2, 2)", "(2,)"])
both("keras.losses.{loss}(a, b)", ["(3,)", "(4,)", "(1,)", "()"], ["(4,)", "(3,)", "(1,)", "(2, 4)"], loss=["mean_squared_error", "categorical_crossentropy", "binary_crossentropy", "sparse_categorical_crossentropy", "mean_absolute_error"])
both("keras.losses.{loss}()(a, b)", ["(3,)", "(4,)", "(1,)", "()"], ["(4,)", "(3,)", "(1,)", "(2, 4)"], loss=["MeanSquaredError", "CategoricalCrossentropy", "BinaryCrossentropy", "SparseCategoricalCrossentropy", "MeanAbsoluteError", "Huber"])

# Functions of keras.ops, which only Keras 3 has
OPS = "x = keras.Input({shape})\ny = {result}\nmodel = keras.Model(x, y)\n"


def ops(result, shape, **arguments):
    row(OPS.replace("{result}", result), shape=shape, **arguments)


ops("keras.ops.reshape(x, {to})", ["(12,)", "(3, 4)"], to=["(-1, 5)", "(-1, 12)", "(-1, 3, 4)", "(2, 2)", "(-1, -1)"])
ops("keras.ops.expand_dims(x, {axis})", ["(3,)"], axis=["4", "2", "-1", "0", "(1, 2)"])
ops("keras.ops.squeeze(x, {axis})", ["(3, 4)", "(3, 1)"], axis=["-1", "1", "2", "None", "4"])
ops("keras.ops.transpose(x, {axes})", ["(3, 4)"], axes=["(0, 1)", "(0, 2, 1)", "(0, 1, 1)", "None"])
ops("keras.ops.moveaxis(x, {a}, {b})", ["(3, 4)"], a=["3", "1", "-1", "(1, 2)"], b=["1", "2", "4", "(2, 1)"])
ops("keras.ops.swapaxes(x, {a}, {b})", ["(3, 4)"], a=["3", "1", "-1"], b=["1", "2", "4"])
ops("keras.ops.split(x, {parts}, axis={axis})", ["(5, 4)"], parts=["2", "5", "[2, 4]", "[2, 9]"], axis=["1", "2", "3"])
ops("keras.ops.concatenate([x, x[:, :{n}]], axis={axis})", ["(5, 4)"], n=["3", "5"], axis=["2", "1", "-1", "3"])
ops("keras.ops.stack([x, x[:, :{n}]], axis={axis})", ["(5, 4)"], n=["3", "5"], axis=["2", "1", "-1", "4"])
ops("keras.ops.sum(x, axis={axis})", ["(3, 4)"], axis=["3", "-1", "(1, 2)", "None"])
ops("keras.ops.matmul(x, keras.ops.zeros({b}))", ["(2, 3)", "(3,)"], b=["(4, 5)", "(3, 5)", "(3,)", "(1, 3, 5)"])
ops("keras.ops.dot(x, keras.ops.zeros({b}))", ["(2, 3)", "(3,)"], b=["(4, 5)", "(3, 5)", "(3,)"])
ops("keras.ops.einsum({equation}, x, keras.ops.zeros({b}))", ["(2, 3)"], equation=["'bij,jk->bik'", "'bij,kj->bik'", "'bij,jk->bikx'", "'bi,jk->bi'"], b=["(4, 5)", "(3, 5)"])
ops("keras.ops.repeat(x, {n}, axis={axis})", ["(3, 4)"], n=["[1, 2]", "2", "[1, 2, 1]"], axis=["1", "2", "3"])
ops("keras.ops.tile(x, {n})", ["(3, 4)"], n=["[1, 2]", "[1, 2, 1]", "2", "[1, 1, 1, 2]"])
ops("keras.ops.pad(x, {pads})", ["(3, 4)"], pads=["((0, 0), (1, 1))", "((0, 0), (1, 1), (0, 0))", "1", "((1, 1),)"])
ops("keras.ops.top_k(x, {k})[0]", ["(3, 4)", "(3,)"], k=["5", "4", "2"])
ops("keras.ops.max_pool(x, {size}, padding={padding})", ["(2, 2, 3)", "(4, 4, 3)"], size=["3", "2"], padding=["'valid'", "'same'", "'no_such'"])
ops("keras.ops.conv(x, keras.ops.zeros({kernel}), padding={padding})", ["(4, 4, 3)", "(4, 4, 2)"], kernel=["(5, 5, 3, 4)", "(3, 3, 3, 4)", "(3, 3, 2, 4)"], padding=["'valid'", "'same'"])
ops("keras.ops.image.resize(x, {size})", ["(4, 3)", "(4, 4, 3)", "(3,)"], size=["(2, 2)", "(2,)", "2"])
ops("keras.ops.dot_product_attention(x, x, x)", ["(5, 8)", "(5, 2, 8)", "(5, 2, 2, 8)"])
ops("keras.ops.broadcast_to(x, {to})", ["(3,)", "(1,)"], to=["(4, 4)", "(4, 3)", "(2, 4, 3)"])
ops("keras.ops.roll(x, 1, axis={axis})", ["(3, 4)"], axis=["4", "1", "-1"])
ops("keras.ops.flip(x, axis={axis})", ["(3, 4)"], axis=["4", "1", "-1", "None"])
ops("keras.ops.take(x, {at}, axis={axis})", ["(3, 4)"], at=["[0, 1]", "0"], axis=["3", "1", "-1", "None"])
ops("keras.ops.one_hot(x, {n}, axis={axis})", ["(3,)"], n=["4"], axis=["-1", "4", "1"])
ops("x {operator} keras.ops.zeros({b})", ["(3,)", "(1,)"], operator=["+", "*", "-"], b=["(4,)", "(3,)", "(1,)", "(5, 1, 3)"])

# Optimizers
row("model = keras.Sequential([keras.Input((8,)), L.Dense(3)])\nmodel.compile(keras.optimizers.{name}({argument}), 'mse')\nmodel.fit(np.zeros((32, 8), 'float32'), np.zeros((32, 3), 'float32'), verbose=0)\n",
    name=["Adam", "SGD", "RMSprop"], argument=["no_such=1", "lr=0.1", "learning_rate=0.1", "decay=0.1", "clipnorm=1.0", "weight_decay=0.1", "gradient_accumulation_steps=2", "use_ema=True", "clipnorm=1.0, clipvalue=1.0", "name='a/b'"])
TAPE = "model = keras.Sequential([keras.Input((8,)), L.Dense(3)])\no = keras.optimizers.SGD()\nx = tf.zeros((32, 8))\nwith tf.GradientTape({tape}) as t:\n    t.watch(x)\n    y = model(x)\ng = t.{gradient}\no.apply_gradients({given})\n"
row(TAPE, tape=["", "persistent=True"], gradient=["gradient(y, model.trainable_variables)", "gradient(y, x)"], given=["[]", "zip(g, model.trainable_variables)", "zip([], [])"])
row("model = keras.Sequential([keras.Input((8,)), L.Dense(3)])\nx = tf.zeros((32, 8))\nwith tf.GradientTape() as t:\n    t.watch(x)\n    y = {target}\nj = t.{method}(y, x)\n", target=["tf.reduce_sum(model(x))", "model(x)", "tf.reduce_sum(model(x), axis=-1)", "tf.reduce_sum(model(x), axis=0)"], method=["batch_jacobian", "jacobian", "gradient"])

# Callbacks and checkpoints
row("model = keras.Sequential([keras.Input((8,)), L.Dense(3)])\nmodel.compile('sgd', 'mse')\nmodel.fit(np.zeros((32, 8), 'float32'), np.zeros((32, 3), 'float32'), verbose=0, callbacks=[keras.callbacks.ModelCheckpoint(FOLDER + {path}, {argument}={value})])\n",
    path=["'/x.hdf5'", "'/x.h5'", "'/x.keras'", "'/x.weights.h5'", "'/x'", "'/x.ckpt'", "'/x.tf'"], argument=["save_weights_only", "save_best_only", "period", "verbose"], value=["False", "True"])
# lora, remat
row("d = L.Dense(4)\nx = keras.Input((8,))\n{before}\nd.enable_lora({rank})\ny = d(x)\nmodel = keras.Model(x, y)\n", before=["", "d(x)", "d(x); d.enable_lora(2)"], rank=["2", "0"])


def programs():
    """All programs, each once: of each row that with all first values, and those that differ in one."""
    seen = {}
    for number, (program, arguments) in enumerate(CALLS):
        first = {name: values[0] for name, values in arguments.items()}
        for name, values in arguments.items():
            for value in values:
                text = program
                for key, given in {**first, name: value}.items():
                    text = text.replace("{" + key + "}", given)
                seen.setdefault(text, number)
        # One step further: what differs in two, of small rows.
        if 1 < len(arguments) <= 3:
            for combination in itertools.islice(itertools.product(*arguments.values()), 60):
                text = program
                for key, given in zip(arguments, combination):
                    text = text.replace("{" + key + "}", given)
                seen.setdefault(text, number)
    return seen


def run(model):
    """Calls a functional model: some errors come only then, such as those of a looped layer's kernel."""
    import tensorflow as tf

    inputs = getattr(model, "inputs", None)
    if inputs:
        given = [tf.zeros([8 if n is None else n for n in i.shape], i.dtype) for i in inputs]
        model(given[0] if len(given) == 1 else given)


def work(part, end):
    """Runs the programs that have no line in a file yet, and writes one of each."""
    os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")
    os.environ["CUDA_VISIBLE_DEVICES"] = ""
    todo = missing(part)
    import tensorflow as tf

    tf.get_logger().setLevel("ERROR")
    with tempfile.TemporaryDirectory() as folder, open(part, "a") as f:
        for text in todo:
            if time.time() > end:
                break
            f.write(json.dumps([text, "died"])[:-len('"died"]')])  # the rest follows, if the process lives
            f.flush()
            raised = ""
            tf.keras.backend.clear_session()
            try:
                space = {"__name__": "__main__", "FOLDER": folder}
                exec(compile(HEAD + text, "<program>", "exec"), space)
                run(space["model"])
            except BaseException as e:
                raised = re.sub(r"\x1b\[\d*m", "", re.sub(r"\s+", " ", re.sub(r"/\S*/site-packages/", "", f"{type(e).__name__}: {e}".replace(folder, "FOLDER"))))[:100]
            f.write(json.dumps(raised) + "]\n")
            f.flush()


def rows(part):
    with open(part) as f:
        return [json.loads(line) for line in f]


def missing(part):
    done = {text for text, _ in rows(part)}
    return [text for text in programs() if text not in done]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--out", required=True)
    parser.add_argument("--seconds", type=float, default=float("inf"))
    parser.add_argument("--work", action="store_true", help=argparse.SUPPRESS)
    given = parser.parse_args()
    end = time.time() + given.seconds
    if given.work:
        return work(given.out, end)
    part = given.out + ".part"
    if not os.path.exists(part):
        with open(part, "w") as f:
            if os.path.exists(given.out):
                with open(given.out) as known:
                    f.writelines(json.dumps(one) + "\n" for one in json.load(known)["rows"])
    while missing(part) and time.time() < end:
        subprocess.run([sys.executable, __file__, "--out", part, "--work", "--seconds", str(end - time.time())], stdout=subprocess.DEVNULL)
        with open(part) as f:
            lines = f.read()
        if lines and not lines.endswith("\n"):  # TensorFlow ended the process
            with open(part, "a") as f:
                f.write('"the process died"]\n')
    import tensorflow as tf

    keras = __import__("tf_keras" if os.environ.get("TF_USE_LEGACY_KERAS") == "1" else "keras")
    order = {text: at for at, text in enumerate(programs())}
    recorded = sorted((one for one in rows(part) if one[0] in order), key=lambda one: order[one[0]])
    with open(given.out, "w") as f:
        f.write(json.dumps({"tensorflow": tf.__version__, "keras": keras.__version__})[:-1] + ', "rows": [\n')
        f.write(",\n".join(json.dumps(one, ensure_ascii=False) for one in recorded) + "\n]}\n")
    os.remove(part)


if __name__ == "__main__":
    main()
