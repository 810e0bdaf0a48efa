from tensorflow.data import Dataset

model.fit(Dataset.range(10).batch(2))  # want "The pipeline that reaches fit\(\) does not prefetch\."
