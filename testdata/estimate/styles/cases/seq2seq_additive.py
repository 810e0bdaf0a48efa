import numpy as np
from tensorflow.keras.layers import LSTM, AdditiveAttention, Bidirectional, Concatenate, Dense, Embedding, Input, TimeDistributed
from tensorflow.keras.models import Model

max_text_len, max_summary_len = 60, 20
latent_dim = 200
embedding_dim = 100
x_voc, y_voc = 6000, 3000

encoder_inputs = Input(shape=(max_text_len,))
enc_emb = Embedding(x_voc, embedding_dim, trainable=True)(encoder_inputs)
encoder_lstm1 = LSTM(latent_dim, return_sequences=True, return_state=True, use_cudnn=False)
encoder_output1, state_h1, state_c1 = encoder_lstm1(enc_emb)
encoder_lstm2 = LSTM(latent_dim, return_sequences=True, return_state=True, use_cudnn=False)
encoder_output2, state_h2, state_c2 = encoder_lstm2(encoder_output1)
encoder_lstm3 = LSTM(latent_dim, return_state=True, return_sequences=True, use_cudnn=False)
encoder_outputs, state_h, state_c = encoder_lstm3(encoder_output2)

decoder_inputs = Input(shape=(None,))
dec_emb_layer = Embedding(y_voc, embedding_dim, trainable=True)
dec_emb = dec_emb_layer(decoder_inputs)
decoder_lstm = LSTM(latent_dim, return_sequences=True, return_state=True, use_cudnn=False)
decoder_outputs, decoder_fwd_state, decoder_back_state = decoder_lstm(dec_emb, initial_state=[state_h, state_c])

attn_out = AdditiveAttention(name="attention_layer")([decoder_outputs, encoder_outputs])
decoder_concat_input = Concatenate(axis=-1, name="concat_layer")([decoder_outputs, attn_out])
decoder_dense = TimeDistributed(Dense(y_voc, activation="softmax"))
decoder_outputs = decoder_dense(decoder_concat_input)

model = Model([encoder_inputs, decoder_inputs], decoder_outputs)
model.summary()
model.compile(optimizer="rmsprop", loss="sparse_categorical_crossentropy")

x_tr = np.random.randint(1, x_voc, (256, max_text_len))
y_tr = np.random.randint(1, y_voc, (256, max_summary_len))
model.fit([x_tr, y_tr[:, :-1]], y_tr.reshape(y_tr.shape[0], y_tr.shape[1], 1)[:, 1:], epochs=1, batch_size=64)
