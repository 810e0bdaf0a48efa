import tensorflow as tf

classifier = tf.estimator.DNNClassifier(hidden_units=[10, 10], feature_columns=columns, n_classes=3)  # want "This Estimator opens its sessions"
classifier.train(input_fn, steps=100)
