# TensorFlow 1: del and gc.collect() free nothing, as the default graph has every model.
import numpy as np
import tensorflow as tf
from flask import Flask, jsonify, request
from keras.models import load_model

tf.compat.v1.disable_eager_execution()
app = Flask(__name__)


def answer(rows):
    model = load_model("answers.h5")
    said = model.predict(rows)
    del model
    return said


@app.route("/answer", methods=["POST"])
def handle():
    return jsonify(answer(np.array(request.get_json())).tolist())  # want "stay in TensorFlow's graph"
