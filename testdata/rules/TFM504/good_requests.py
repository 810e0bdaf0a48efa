# A server that has its model before the first request, or loads it at the first.
from functools import lru_cache

import tensorflow as tf
from flask import Flask, request

app = Flask(__name__)
net = tf.keras.models.load_model("weights/best.h5")
late = None


@app.route("/predict", methods=["POST"])
def answer():
    return str(net.predict(request.json["rows"]))


@app.route("/late", methods=["POST"])
def at_first():
    global late
    if late is None:
        late = tf.keras.models.load_model("weights/best.h5")
    return str(late.predict(request.json["rows"]))


@lru_cache(maxsize=1)
def cached():
    return tf.keras.models.load_model("weights/best.h5")


@app.route("/cached", methods=["POST"])
def from_cache():
    return str(cached().predict(request.json["rows"]))
