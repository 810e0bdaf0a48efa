from tensorflow.config.experimental import set_memory_growth
from tensorflow import config

set_memory_growth(True)  # want "TypeError"
grow = config.experimental.set_memory_growth
grow("GPU:0", True)  # want "ValueError"
