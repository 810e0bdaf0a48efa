"""A Keras before 2.4 had to make its predict function before threads used it."""
import numpy as np
from keras.layers import Dense
from keras.models import Sequential

model = Sequential([Dense(3, input_dim=4)])
model.compile("adam", "mse")
model._make_predict_function()
for i in range(1000):
    print(model.predict(np.array([[i, i, i, i]]))[0])
