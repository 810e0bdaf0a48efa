# TensorFlow 1's own names: Keras runs in a session, whatever branch built the model.
import sys

import tensorflow as tf
from tensorflow.keras import backend as K


def build(kind):
    if kind == "small":
        return tf.keras.applications.MobileNetV2()
    return tf.keras.applications.ResNet50()


def freeze(session):
    names = [v.op.name for v in tf.global_variables()]
    return tf.graph_util.convert_variables_to_constants(session, session.graph.as_graph_def(), names)


model = build(sys.argv[1])
model.load_weights("weights.h5")
tf.train.write_graph(freeze(K.get_session()), ".", "frozen.pb")
