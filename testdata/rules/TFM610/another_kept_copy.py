# keras: 2.15
from tensorflow.keras import mixed_precision
from tensorflow.python.keras.layers import LSTM, Dense
from tensorflow.python.keras.models import Sequential

policy = mixed_precision.Policy("mixed_float16")
mixed_precision.set_global_policy(policy)  # want "warning: .*all are of tensorflow\.python\.keras\. .*It is no public part of TensorFlow: import the layers from tensorflow\.keras\."
model = Sequential()
model.add(LSTM(64, input_shape=(10, 4)))
model.add(Dense(1))
