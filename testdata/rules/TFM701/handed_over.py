import multiprocessing as mp
from concurrent.futures import ProcessPoolExecutor

from tensorflow import keras


def serve(model, inputs, outputs):
    while True:
        outputs.put(model.predict(inputs.get()))


def score(name, model):
    return model(read(name))


def describe(model):
    return model.name


if __name__ == "__main__":
    model = keras.Sequential([keras.layers.Dense(1)])
    model.compile("sgd", "mse")
    mp.Process(target=serve, args=(model, mp.Queue(), mp.Queue())).start()  # want "mp\.Process\(\) forks this process after TensorFlow has initialised its devices\. model\.compile\(\) on line 22 has initialised them: serve, which runs in the new process, finds them unusable on line 9 and fails with CUDA_ERROR_NOT_INITIALIZED or hangs\. Python forks by default on Linux before [\d.]+\. Spawn the process instead\.$"
    mp.Process(target=describe, args=(model,)).start()
    with mp.Pool(4) as pool:  # want "score, which"
        pool.apply_async(score, ("a", model))
    with ProcessPoolExecutor() as executor:  # want "score, which"
        executor.submit(score, "a", model)
        executor.submit(describe, model)
    with mp.Pool(4) as other:
        other.apply_async(describe, args=(model,))
        other.apply_async(score, arguments)
        other.apply_async(score, ("a", unknown))
