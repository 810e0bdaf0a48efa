# Losses of TensorFlow Addons that compare all pairs of rows, or that are no kernels of TensorFlow, a training
# each, and layers that have no place among the others.
import numpy as np
import tensorflow as tf
import tensorflow_addons as tfa


def train(loss, labels, *layers):
    model = tf.keras.Sequential([tf.keras.Input((32,)), *layers, tf.keras.layers.Dense(256)])
    model.compile(tf.keras.optimizers.legacy.SGD(0.1), loss)
    model.fit(np.zeros((512, 32), "float32"), labels, batch_size=128)


train(tfa.losses.LiftedStructLoss(margin=0.5), np.zeros(512, "int32"))
train(tfa.losses.SparsemaxLoss(), np.zeros((512, 256), "float32"), tfa.layers.PoincareNormalize())
train(tfa.losses.WeightedKappaLoss(num_classes=256, weightage="linear"), np.zeros((512, 256), "float32"), tf.keras.layers.Dense(512), tfa.layers.Sparsemax())
train("mse", np.zeros((512, 256), "float32"), tfa.layers.WeightNormalization(tf.keras.layers.Dense(512, activation=tfa.activations.mish)))
train("mse", np.zeros((512, 256), "float32"), tf.keras.layers.Dense(2048, activation=tfa.activations.lisht), tf.keras.layers.Dense(2048, activation=tfa.activations.rrelu))
