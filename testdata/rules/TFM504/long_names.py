import tensorflow as tf

for subject in subjects:  # unknown how many, of unknown size
    sequence_teacher = tf.keras.models.load_model(subject + "_sequence")
    epoch_teacher = tf.keras.models.load_model(subject + "_epoch")
    sequence_features = tf.keras.Model(sequence_teacher.input, sequence_teacher.layers[-2].output)  # want "warning: "
    epoch_features = tf.keras.Model(epoch_teacher.input, epoch_teacher.layers[-2].output)
    student = tf.keras.Sequential([tf.keras.layers.Dense(len(subject)), tf.keras.layers.Dense(1)])
    student.compile("adam", "mse")
    training_history = student.fit(x, [sequence_features.predict(x), epoch_features.predict(x)])
