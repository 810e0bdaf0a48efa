import tensorflow as tf

train = tf.data.Dataset.from_tensor_slices((x, y)).shuffle(100).batch(32)
valid = tf.data.Dataset.from_tensor_slices((x, y)).batch(32)
model.fit(train, validation_data=valid)  # want "hint: No step of the pipeline that reaches fit\(\) prefetches: unless" "hint: No step"
model.evaluate(valid)
model.predict(
    tf.data.TextLineDataset("words.txt")  # want "No step of the pipeline that reaches predict\(\) prefetches"
    .map(parse)
    .batch(8)
)
print(train.element_spec)
