# One worker, and one that only reloads.
import uvicorn
from fastapi import FastAPI
from tensorflow import keras

app = FastAPI()
model = keras.models.load_model("model.keras")


@app.get("/")
def answer(x: float):
    return model.predict([[x]]).tolist()


if __name__ == "__main__":
    uvicorn.run("good_served:app", host="0.0.0.0")
