import numpy as np
import pandas as pd

table = pd.DataFrame(np.random.rand(2_000_000, 20), columns=[f"sensor {i}" for i in range(20)])
