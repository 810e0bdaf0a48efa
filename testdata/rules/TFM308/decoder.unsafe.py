import numpy as np
import tensorflow as tf
encoder_model = tf.keras.models.load_model('e.h5')
decoder_model = tf.keras.models.load_model('m.h5')

def decode_sequence(input_seq):
    states_value = encoder_model.predict(input_seq)
    target_seq = np.zeros((1, 1, 100))
    stop_condition = False
    out = []
    while not stop_condition:
        output_tokens, h, c = decoder_model.predict_on_batch([target_seq] + states_value)  # want "single example in every loop iteration"
        index = np.argmax(output_tokens[0, -1, :])
        out.append(index)
        if index == 2 or len(out) > 60:
            stop_condition = True
        target_seq = np.zeros((1, 1, 100))
        target_seq[0, 0, index] = 1.
        states_value = [h, c]
    return out
