from transformers import AutoTokenizer, TFAutoModelForSequenceClassification
from tensorflow.keras.backend import clear_session
import gc

# The text names neither TensorFlow nor Keras.
for fold in range(5):
    model = None
    clear_session()
    gc.collect()
    model = TFAutoModelForSequenceClassification.from_pretrained("bert-base-uncased", num_labels=3)  # want "information: Every iteration of the loop on line 4 loads another model"
    model.compile("adam")
    model.fit(folds[fold])
