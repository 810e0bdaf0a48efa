"""keras alone, of any age: the variable is set with the imports at the top, where os is free."""
import pandas as pd
from keras.layers import Dense
from keras.models import Sequential
import os

os.environ["TF_FORCE_GPU_ALLOW_GROWTH"] = "true"

frame = pd.read_csv("data.csv")

from sklearn.model_selection import train_test_split
train, test = train_test_split(frame)

model = Sequential([Dense(10, input_shape=(20,)), Dense(1)])  # want "Memory growth is not set"
model.compile("adam", "mse")
model.fit(train, train)
