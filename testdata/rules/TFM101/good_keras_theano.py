# Keras before version 2.4 also computed with Theano; this program looks into it.
import theano
from keras.layers import Dense
from keras.models import Sequential

theano.config.floatX = "float32"
model = Sequential()
model.add(Dense(8, input_shape=(4,)))
model.compile("sgd", "mse")
model.fit(x, y)
