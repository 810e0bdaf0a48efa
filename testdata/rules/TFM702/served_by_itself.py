# uvicorn.run() with workers has each of them import the module again, and load the model.
import uvicorn
from fastapi import FastAPI
from tensorflow import keras

app = FastAPI()
model = keras.models.load_model("model.keras")  # want "warning: The workers of uvicorn share the GPU without a memory limit\. served_by_itself\.py:16 starts 4 workers\. Each has a model of its own"


@app.get("/")
def answer(x: float):
    return model.predict([[x]]).tolist()


if __name__ == "__main__":
    uvicorn.run("served_by_itself:app", host="0.0.0.0", workers=4)
