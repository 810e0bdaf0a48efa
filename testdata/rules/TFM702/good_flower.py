import flwr as fl
import tensorflow as tf


def client_fn(cid):
    return Client(tf.keras.applications.MobileNetV2((32, 32, 3), weights=None, classes=10))


# A whole GPU each, none at all, and growth that each actor sets.
fl.simulation.start_simulation(client_fn=client_fn, num_clients=10, client_resources={"num_gpus": 1})
fl.simulation.start_simulation(client_fn=client_fn, num_clients=10, client_resources={"num_cpus": 2})
fl.simulation.start_simulation(
    client_fn=client_fn,
    num_clients=10,
    client_resources={"num_gpus": 0.1},
    actor_kwargs={"on_actor_init_fn": fl.simulation.ray_transport.utils.enable_tf_gpu_growth},
)
