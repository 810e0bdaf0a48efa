import numpy as np

picture = np.full((224, 224, 3), 7, dtype="uint8")
pictures = []
for i in range(300):
    pictures.append(picture.astype("float32"))
stacked = np.array(pictures)
