# Models that other libraries load.
import tensorflow as tf
import tensorflow_hub as hub
from transformers import AutoTokenizer, TFAutoModel, TFAutoModelForSequenceClassification
import gc

for seed in range(30):
    net = None
    tf.keras.backend.clear_session()
    gc.collect()
    net = TFAutoModelForSequenceClassification.from_pretrained(name, num_labels=4)  # want "warning: Every iteration of the loop on line 6 loads another model"
    net.compile(tf.keras.optimizers.Adam(2e-5), tf.keras.losses.SparseCategoricalCrossentropy(True))
    net.fit(data)

for text in texts:
    words = AutoTokenizer.from_pretrained("bert-base-uncased")
    net = TFAutoModel.from_pretrained("bert-base-uncased")  # want "information: Every iteration of the loop on line 11 loads another model.* Load it once, before the loop\.$"
    print(net.predict(words(text, return_tensors="tf")))

for url in urls:
    tf.keras.backend.clear_session()
    gc.collect()
    net = hub.load(url)  # want "information: Every iteration of the loop on line 16 loads another model"
    print(net(x))

for text in texts:
    layer = hub.KerasLayer("https://tfhub.dev/google/universal-sentence-encoder/4")  # want "information: Every iteration of the loop on line 20 loads another model.* Load it once, before the loop\.$"
    print(layer([text]))
