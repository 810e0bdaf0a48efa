import numpy as np
import tensorflow as tf
from transformers import TFDistilBertModel
encoder = TFDistilBertModel.from_pretrained('distilbert-base-uncased')
encoder.trainable = False
ids = tf.keras.layers.Input((48,), dtype=tf.int32, name='input_ids')
mask = tf.keras.layers.Input((48,), dtype=tf.int32, name='attention_mask')
cls = encoder([ids, mask])[0][:, 0, :]
x = tf.keras.layers.Dense(256, activation='relu')(cls)
out = tf.keras.layers.Dense(1, activation='sigmoid')(x)
model = tf.keras.Model(inputs=[ids, mask], outputs=out)
model.compile(loss='binary_crossentropy', optimizer='adam')
z = np.zeros((32, 48), np.int32)
model.fit([z, z], np.zeros((32, 1), np.float32), batch_size=16)
