import tensorflow as tf

files = tf.data.Dataset.list_files("*.png")
images = files.map(read).batch(32).repeat()  # want "cache\(\) comes after a repeat\(\) without end, so it grows without end\. repeat\(\) is on line 4; the cache keeps each element of each epoch and never reads one\. Cache before repeat\(\), or remove cache\(\)\.$"
explicit = (
    files.map(read)
    .repeat(count=-1)
    .map(augment)  # want "cache\(\) comes after a repeat\(\) without end"
    .prefetch(1)
)
named = files.map(read).repeat(None)
named = named.cache()  # want "cache\(\) comes after a repeat\(\) without end, so it grows without end\. repeat\(\) is on line 12"
pairs = tf.data.Dataset.zip((files.map(read).repeat(), files.map(mask).repeat()))  # want "cache\(\) comes after a repeat\(\) without end"
for data in images, explicit, named, pairs:
    model.fit(data, steps_per_epoch=100, epochs=50)

# Each of these has an end, is on disk, or is read from its start again.
model.fit(files.map(read).repeat(3).cache())
model.fit(files.map(read).repeat().take(1000).cache())
model.fit(files.map(read).repeat(times).cache())
model.fit(files.map(read).repeat(*given).cache())
model.fit(files.map(read).repeat().cache("images.tfcache"), steps_per_epoch=100)
model.fit(files.map(read).repeat().cache().take(1000))  # want "take\(\) comes after cache\(\), so the cache is discarded in every epoch\."
model.fit(tf.data.Dataset.zip((files.map(read).repeat(), files.map(mask))).cache())
model.fit(files.map(read).cache().repeat())
