import numpy as np
from sklearn.linear_model import LinearRegression
import tensorflow as tf

LinearRegression().fit(np.zeros((3, 3)), np.zeros(3))
model.fit(np.zeros((3, 3)), np.zeros(3), batch_size=8)
