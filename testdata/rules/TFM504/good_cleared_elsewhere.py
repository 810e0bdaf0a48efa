# Another function, which nothing here calls, may free the models.
import tensorflow as tf
from flask import Flask, request

app = Flask(__name__)


@app.route("/predict")
def answer():
    net = tf.keras.models.load_model("weights/best.h5")
    return str(net.predict(request.json["rows"]))


def forget():
    tf.keras.backend.clear_session()
