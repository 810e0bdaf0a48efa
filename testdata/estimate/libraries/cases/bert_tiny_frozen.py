import numpy as np
import tensorflow as tf
from transformers import TFBertModel
bert = TFBertModel.from_pretrained('prajjwal1/bert-tiny')
bert.trainable = False
ids = tf.keras.Input((64,), dtype='int32', name='input_ids')
x = bert(ids)[0]
x = tf.keras.layers.LSTM(64)(x)
m = tf.keras.Model(ids, tf.keras.layers.Dense(2, activation='softmax')(x))
m.compile('adam', loss='sparse_categorical_crossentropy')
m.fit(np.zeros((64, 64), np.int32), np.zeros((64,), np.int32), batch_size=8)
