from tensorflow import config

gpus = config.list_physical_devices("GPU")[:1]
for gpu in gpus:
    print(gpu)
    config.experimental.set_memory_growth(gpu, True)  # want "config.list_physical_devices\(.GPU.\)\[:1\]"
