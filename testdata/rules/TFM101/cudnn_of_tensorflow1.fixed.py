"""Only TensorFlow 1 has these layers below tf.keras."""
from tensorflow.keras.layers import CuDNNLSTM, Dense, Input
from tensorflow.keras.models import Model
import os

os.environ["TF_FORCE_GPU_ALLOW_GROWTH"] = "true"

words = Input((20, 50))
model = Model(words, Dense(3)(CuDNNLSTM(64)(words)))  # want "Memory growth is not set"
model.load_weights("weights.h5")
