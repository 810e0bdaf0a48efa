# Keras 2 until TensorFlow 2.5 reads the description of a model from YAML.
from keras.models import model_from_yaml
import os

os.environ["TF_FORCE_GPU_ALLOW_GROWTH"] = "true"

model = model_from_yaml(open("model.yaml").read())
model.load_weights("weights.h5")  # want "Memory growth is not set"
print(model.predict(x))
