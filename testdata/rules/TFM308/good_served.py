"""Services that predict a batch, the same example once, or with a model of their own."""

import numpy as np
from flask import Flask, jsonify, request
from tensorflow.keras.models import load_model

import commands

app = Flask(__name__)
model = load_model("model.keras")
model.predict(np.zeros((1, 224, 224, 3)))  # warms it up


@app.route("/batch", methods=["POST"])
def batch():
    return jsonify(model.predict(np.array(request.get_json())).tolist())


@app.route("/loads", methods=["POST"])
def loads():
    own = load_model(request.args["name"])
    return jsonify(own.predict(np.expand_dims(request.files["file"], 0)).tolist())


@app.route("/ready")
def ready():
    model.predict(np.zeros((1, 224, 224, 3)))
    return "ready"


@commands.route("/predict")
def predict():
    return model.predict(np.expand_dims(np.load("x.npy"), 0))


def uncalled(file):
    return model.predict(np.expand_dims(np.load(file), 0))


@app.route("/once", methods=["POST"])
def once():
    return jsonify(model.predict_on_batch(np.expand_dims(request.files["file"], 0)).tolist())
