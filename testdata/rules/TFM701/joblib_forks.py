# joblib's backend multiprocessing forks, where loky starts another Python (keras-team/keras#3181).
import tensorflow as tf
from joblib import Parallel, delayed

model = tf.keras.models.load_model("saved.h5")


def predict(x):
    return model.predict(x)


results = Parallel(n_jobs=4, backend="multiprocessing")(delayed(predict)(x) for x in parts)  # want "Parallel\(\) forks this process after TensorFlow has initialised its devices\. tf\.keras\.models\.load_model\(\) on line 5 has initialised them: predict, which runs in the new process, finds them unusable on line 9"
results = Parallel(n_jobs=4)(delayed(predict)(x) for x in parts)
