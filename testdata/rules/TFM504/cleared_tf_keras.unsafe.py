# tf_keras is Keras 2.
import tf_keras as keras
import gc

for seed in range(40):
    keras.backend.clear_session()
    gc.collect()
    net = keras.applications.VGG16(weights=None)  # want "warning: .* clear_session\(\) on line 5 alone leaves them alive in Keras 2.* All 40 of them together take 61\.\d GiB at most\.$"
    net.compile("adam", "mse")
    net.fit(x, y, epochs=2)
