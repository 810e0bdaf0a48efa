import tensorflow as tf

run_config = tf.estimator.RunConfig(save_checkpoints_steps=100, session_config=tf.ConfigProto(allow_soft_placement=True))
estimator = tf.estimator.Estimator(model_fn=model_fn, config=run_config)  # want "information: This Estimator opens its sessions without memory growth"
estimator.train(input_fn, steps=100)
