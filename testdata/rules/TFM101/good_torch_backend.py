import torch

import keras

model = keras.Sequential([keras.layers.Dense(1)])
optimizer = torch.optim.SGD(model.parameters())
for x in torch.utils.data.DataLoader(data):
    model(x).sum().backward()
    optimizer.step()
