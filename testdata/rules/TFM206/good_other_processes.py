import tensorflow as tf

cpu = tf.Session(config=tf.ConfigProto(device_count={"GPU": 0}))
far = tf.Session("grpc://host:2222")
config = tf.ConfigProto()
config.gpu_options.allow_growth = True
near = tf.Session(config=config)
