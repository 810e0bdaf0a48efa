# keras: 2.3
import keras
import tensorflow as tf
from transformers import TFBertModel

tf.keras.mixed_precision.set_global_policy("mixed_float16")
model = keras.models.Sequential([keras.layers.Dense(10)])
bert = TFBertModel.from_pretrained("bert-base-uncased")
