# Only Keras 1 takes these keywords; it also computed with Theano, and its TensorFlow knows no variable for growth.
from keras.layers import Dense
from keras.models import Sequential

model = Sequential()
model.add(Dense(output_dim=8, input_dim=4))  # want "No current Keras runs this program, so its memory is not checked"
model.compile("sgd", "mse")
model.fit(x, y, nb_epoch=10)
