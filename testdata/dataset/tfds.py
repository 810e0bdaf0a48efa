# Datasets of tensorflow_datasets, by split.
import tensorflow_datasets as tfds

builder = tfds.builder("mnist")
builder.download_and_prepare()
a = builder.as_dataset(split="train")  # dataset: unbatched
a = builder.as_dataset("train", batch_size=32)  # dataset: batched
a = builder.as_dataset(split="train", batch_size=-1)  # dataset: none
a = builder.as_dataset()  # dataset: none
a = builder.as_dataset()["test"].batch(2)  # dataset: batched
train, test = builder.as_dataset(split=["train", "test"])
a = train  # dataset: unbatched
a = test.batch(2)  # dataset: batched
a = tfds.load("mnist")  # dataset: none
a = tfds.load("mnist", split=split)  # dataset: unbatched
a = tfds.load("mnist", split=["train"])[0]  # dataset: unbatched
a = tfds.load("mnist", split=["train"])  # dataset: none
a = tfds.load("mnist", split="train", as_supervised=True)  # dataset: unbatched
a = tfds.load("mnist", split="train", batch_size=-1)  # dataset: none
a = tfds.load("mnist", split="train", **options)  # dataset: unknown
both = tfds.load("mnist", as_supervised=True)
a = both["train"].shuffle(10)  # dataset: unbatched
a = both[name]  # dataset: none
raw_train, raw_test = both["train"], both["test"]
a = raw_test.batch(10)  # dataset: batched
a = tfds.as_numpy(raw_test)  # dataset: unbatched  # kind: iterable
a = tfds.as_numpy(raw_test.batch(3))  # dataset: batched  # kind: iterable
a = tfds.as_numpy(tfds.load("mnist"))["train"]  # dataset: unbatched
a = tfds.as_numpy(elsewhere())  # dataset: none
loaded, info = tfds.load("mnist", with_info=True)
a = loaded["train"]  # dataset: unbatched
a = info.splits["train"]  # dataset: none
a = loaded  # dataset: none
kept = {"train": both["train"].batch(2), "test": both["test"]}
a = kept["train"]  # dataset: batched
a = kept["test"]  # dataset: unbatched
a = kept["validation"]  # dataset: none
listed = [both["train"], both["train"].batch(2)]
a = listed[1]  # dataset: batched
a = listed[-1]  # dataset: batched
