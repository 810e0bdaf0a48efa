"""Programs that predict one example for each message, or for each item of a table."""

import discord
import numpy as np
import pandas as pd
import rospy
import socketio
from tensorflow.keras.models import load_model
from tensorflow.keras.preprocessing.sequence import pad_sequences

sio = socketio.Server()
client = discord.Client()
model = load_model("model.keras")


@sio.on("telemetry")
def telemetry(sid, data):
    image = np.array([decode(data["image"])])
    sio.emit("steer", float(model.predict_on_batch(image)))  # want "single example with every message\. Each call builds"


@client.event
async def on_message(message):
    scores = model.predict_on_batch(np.array([bag(message.content)]))[0]  # want "with every message"
    await message.channel.send(str(scores.argmax()))


def seen(message):
    image = np.frombuffer(message.data, np.uint8).reshape(1, 64, 64, 3)
    report(model.predict_on_batch(image)[0])  # want "with every message"


rospy.Subscriber("/image", Image, seen)


def score(text):
    sequence = pad_sequences(tokenizer.texts_to_sequences([text]), maxlen=100)
    return float(model.predict_on_batch(sequence)[0][0])  # want "for each item\. Each call builds"


frame = pd.read_csv("texts.csv")
frame["score"] = frame["text"].apply(score)


def rating(path):
    return model.predict_on_batch(np.load(path)[None])[0]  # want "for each item"


ratings = list(map(rating, paths))
