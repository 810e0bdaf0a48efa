# A server that loads a model for every request.
import tensorflow as tf
import tensorflow_hub as hub
from fastapi import FastAPI
from flask import Flask, jsonify, request
from flask_restful import Resource

app = Flask(__name__)
api = FastAPI()


@app.route("/predict", methods=["POST"])
def answer():
    net = tf.keras.models.load_model("weights/best.h5")  # want "warning: Every request loads another model, and none is freed\. .* Load it once, before the first request\.$"
    return jsonify(net.predict(request.json["rows"]).tolist())


@app.route("/upload", methods=["GET", "POST"])
def upload():
    if request.method == "POST":
        net = read("weights/best.h5")  # want "warning: Every request loads another model"
        return str(net.predict(request.files["picture"]))
    return "send a picture"


def read(path):
    return tf.keras.models.load_model(path)


@api.post("/predict")
async def predict(rows: list):
    net = tf.keras.models.load_model("weights/best.keras")  # want "warning: Every request loads another model"
    return net.predict(rows).tolist()


class Predict(Resource):
    def post(self):
        net = tf.keras.applications.MobileNetV2()  # want "warning: Every request builds another model, .* Build it once, before the first request\.$"
        return net.predict(request.json["rows"]).tolist()


@app.route("/train", methods=["POST"])
def train():
    net = tf.keras.applications.ResNet50(weights=None, classes=10)  # want "warning: Every request builds another model, and none is freed\. .*gc\.collect\(\)\.$"
    net.compile("adam", "mse")
    net.fit(*rows(request.json))
    net.save("weights/last.keras")
    return "trained"


@app.route("/embed", methods=["POST"])
def embed():
    layer = hub.KerasLayer("https://tfhub.dev/google/nnlm-en-dim128/2")  # want "warning: Every request loads another model, .* Load it once, before the first request\.$"
    return str(layer(tf.constant([request.json["text"]])))


@app.route("/detect", methods=["POST"])
def detect():
    net = tf.saved_model.load("detector")  # want "warning: Every request loads another model"
    return str(net(tf.constant(request.json["rows"])))
