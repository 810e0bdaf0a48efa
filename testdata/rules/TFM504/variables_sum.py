# device: 24 GiB
# The sum over the trials, beside the GPU, says how much is at stake. Each model has its own optimizer.
import gc
import tensorflow as tf

for seed in range(40):
    tf.keras.backend.clear_session()
    gc.collect()
    model = tf.keras.applications.VGG16(weights=None)  # want "^warning: .* trains another model whose variables stay\. .* All 40 of them together take 61\.9 GiB at most\. Train each in a process of its own \(the rewrite own-process\), or build and compile one model before the loop, and set its weights and optimizer variables back each time\.$"
    model.compile("adam", "mse")
    model.fit(x, y)
for seed in range(40):
    tf.keras.backend.clear_session()
    gc.collect()
    model = tf.keras.applications.VGG16(weights=None)  # want "^information: .* All 40 of them together take 20\.6 GiB at most\."
    model.compile("sgd", "mse")
    model.fit(x, y)
for seed in range(40):
    tf.keras.backend.clear_session()
    gc.collect()
    model = tf.keras.applications.MobileNetV2(weights=None)  # want "^hint: .* All 40 of them together take"
    model.compile("adam", "mse")
    model.train_on_batch(x, y)
