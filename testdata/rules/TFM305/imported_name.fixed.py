import tensorflow as tf
from tensorflow.data import AUTOTUNE, Dataset

model.fit(Dataset.range(10).batch(2).prefetch(AUTOTUNE))  # want "The pipeline that reaches fit\(\) does not prefetch\."
