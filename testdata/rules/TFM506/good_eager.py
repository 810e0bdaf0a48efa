# What is prepared for the session runs eagerly, or in NumPy.
import subprocess
import tensorflow as tf

graph = load(path)
sess = tf.compat.v1.Session(graph=graph)
for name in names:
    image = tf.image.decode_jpeg(tf.io.read_file(name)).numpy()
    print(sess.run("out:0", {"in:0": image}))
for name in names:
    subprocess.run(name)
    strategy.run(step, args=(tf.constant(1),))
    onnx.run(None, {"in": tf.constant(1).numpy()})
