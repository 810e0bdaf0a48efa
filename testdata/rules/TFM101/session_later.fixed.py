"""A notebook's eager model comes first; a session, whose options come too late, after it."""
import tensorflow as tf

for gpu in tf.config.list_physical_devices("GPU"):
    tf.config.experimental.set_memory_growth(gpu, True)

model = tf.keras.applications.ResNet50()  # want "information: Memory growth is not set"
model.predict(pictures)


def frozen(path):
    graph = tf.Graph()
    with graph.as_default():
        tf.import_graph_def(load(path))
    with tf.compat.v1.Session(graph=graph) as session:
        return session.run("out:0")


frozen("frozen.pb")
