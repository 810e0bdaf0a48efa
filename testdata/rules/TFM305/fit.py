import tensorflow as tf

train = tf.data.Dataset.from_tensor_slices((x, y)).shuffle(100).batch(32)
valid = tf.data.Dataset.from_tensor_slices((x, y)).batch(32)
model.fit(train, validation_data=valid)  # want "hint: The pipeline that reaches fit\(\) does not prefetch\." "hint: The pipeline that reaches fit\(\) does not prefetch\."
model.evaluate(valid)
model.predict(
    tf.data.TextLineDataset("words.txt")  # want "The pipeline that reaches predict\(\) does not prefetch\."
    .map(parse)
    .batch(8)
)
print(train.element_spec)
