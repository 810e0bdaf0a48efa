# Clients of Flower on parts of a GPU.
import flwr as fl
import tensorflow as tf


class Client(fl.client.NumPyClient):
    def __init__(self, model):
        self.model = model

    def fit(self, parameters, config):
        self.model.set_weights(parameters)
        self.model.fit(x, y, batch_size=32)
        return self.model.get_weights(), len(x), {}


def client_fn(cid):
    model = tf.keras.applications.MobileNetV2((32, 32, 3), weights=None, classes=10)
    model.compile("adam", "sparse_categorical_crossentropy")
    return Client(model).to_client()


fl.simulation.start_simulation(  # want "warning: These processes share the GPU without a memory limit\. Ray runs 5 at a time on one GPU: the part that each asks for, 0\.2, limits no memory\. Each uses TensorFlow \(client_fn, on line 17\)"
    client_fn=client_fn,
    num_clients=100,
    client_resources={"num_cpus": 2, "num_gpus": 0.2},
)
