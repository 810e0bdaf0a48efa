import tensorflow as tf

attend = tf.keras.layers.MultiHeadAttention(8, 64)
maps = []
for sequences in tf.data.Dataset.from_tensor_slices(tf.zeros((6400, 512, 64))).batch(32):
    mixed, scores = attend(sequences, sequences, return_attention_scores=True)
    maps.append(scores)  # want "maps keeps the attention scores of every step in GPU memory\."
