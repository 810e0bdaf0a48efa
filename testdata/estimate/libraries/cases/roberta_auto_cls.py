import numpy as np
import tensorflow as tf
from transformers import TFAutoModelForSequenceClassification
model = TFAutoModelForSequenceClassification.from_pretrained('distilroberta-base', num_labels=2)
model.compile(optimizer='adam', loss=tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True))
ids = np.zeros((16, 64), np.int32)
model.fit({'input_ids': ids, 'attention_mask': np.ones_like(ids)}, np.zeros((16,), np.int32), batch_size=4)
