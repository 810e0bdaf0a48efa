# One example with an axis before all of its own; arithmetic with numbers keeps it one.
import numpy as np
import tensorflow as tf

model = tf.keras.models.load_model("model.keras")
for path in paths:
    state = read(path)
    model.predict(state.reshape(-1, *state.shape))  # want "single example in every loop iteration"
    model.predict(np.array(state).reshape(-1, *state.shape) / 255)  # want "single example in every loop iteration"
    model.predict(np.reshape(state, (-1, *state.shape)))  # want "single example in every loop iteration"
    model.predict(state.reshape((-1,) + state.shape))  # want "single example in every loop iteration"
    model.predict(state.reshape(-1, state.shape[0], state.shape[1]))  # want "single example in every loop iteration"
    model.predict((state.reshape(1, 4) - 127.5) / 127.5)  # want "single example in every loop iteration"
    model.predict(1 - state.reshape(1, 4))  # want "single example in every loop iteration"
    model.predict(state.reshape(1, 4) / float(width))  # want "single example in every loop iteration"
    scaled = np.expand_dims(state, 0)
    scaled = scaled / np.max(state)
    model.predict(scaled)  # want "single example in every loop iteration"
    image = np.expand_dims(state, 0)
    image /= 255.0
    image -= 0.5
    model.predict(image)  # want "single example in every loop iteration"
    if prepare:
        image = prepare_and_preprocess(image)
    model.predict(image)  # want "single example in every loop iteration"
    model.predict(scaler.transform(state.reshape(1, -1)))  # want "single example in every loop iteration"
    rows = np.array(state).reshape(-1, *state.shape[1:])
    model.predict(rows.reshape(-1, *state.shape))  # want "single example in every loop iteration"
    # Of batches.
    model.predict(state.reshape(-1, *other.shape))
    model.predict(state.reshape(-1, *state.shape[1:]))
    model.predict(state.reshape(-1, state.shape[1]))
    model.predict(state.reshape(-1, 4))
    model.predict(state.reshape(1, 4) - all_states)
    model.predict(state.reshape(1, 4) / len_of(state))
    several = np.expand_dims(state, 0)
    if more:
        several = np.concatenate([several, several])
    model.predict(several)
    grown = np.expand_dims(state, 0)
    grown += all_states
    model.predict(grown)
