"""Services that predict one example for each request."""

import numpy as np
from fastapi import FastAPI
from flask import Blueprint, Flask, jsonify, request
from flask_restful import Resource
from tensorflow.keras.models import load_model
from tensorflow.keras.preprocessing import image
from tensorflow.keras.preprocessing.text import Tokenizer

app = Flask(__name__)
pages = Blueprint("pages", __name__)
api = FastAPI()
model = load_model("model.keras")
tokenizer = Tokenizer()


@app.route("/predict", methods=["POST"])
def predict():
    img = image.load_img(request.files["file"], target_size=(224, 224))
    x = np.expand_dims(image.img_to_array(img), axis=0)
    scores = model.predict_on_batch(x / 255.0)  # want "predict\(\) is called for a single example in every request\. Each call"
    return jsonify(int(np.argmax(scores[0])))


def prepared(file):
    return np.expand_dims(np.load(file), axis=0)


def classify(file):
    return model.predict_on_batch(prepared(file))[0]  # want "every request"


@pages.post("/classify")
def classified():
    return jsonify(classify(request.files["file"]).tolist())


@api.get("/rate")
async def rate(text: str):
    return float(model.predict_on_batch(tokenizer.texts_to_matrix([text], mode="freq"))[0, 0])  # want "every request"


class Rating(Resource):
    def post(self):
        features = request.get_json()["features"]
        return model.predict_on_batch(np.array([features])).tolist()  # want "every request"


@app.route("/both", methods=["POST"])
def both():
    out = []
    for name in ("left", "right"):
        out.append(model.predict_on_batch(np.expand_dims(request.files[name], 0)).tolist())  # want "every request"
    return jsonify(out)
