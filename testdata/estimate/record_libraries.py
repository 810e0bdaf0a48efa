"""Records what real TensorFlow needs to train models of other libraries in libraries/cases/.

    python record_libraries.py libraries/cases/*.py --out libraries.csv

It needs what record.py needs, and segmentation_models 1.0.1, efficientnet 1.1.1, image-classifiers
1.0.0, keras_applications 1.0.8 and transformers 4.49. These run under tf_keras only. Nothing is
downloaded: a model that from_pretrained would load has random weights of the same shapes.

Those of KerasHub (0.32) run under Keras 3, and those of TensorFlow Addons (0.23) under TensorFlow
2.13, with its Keras.
"""

import os
import sys

import record

CONFIGURATIONS = {
    "prajjwal1/bert-tiny": ("Bert", {"hidden_size": 128, "num_hidden_layers": 2, "num_attention_heads": 2, "intermediate_size": 512}),
    "prajjwal1/bert-mini": ("Bert", {"hidden_size": 256, "num_hidden_layers": 4, "num_attention_heads": 4, "intermediate_size": 1024}),
    "prajjwal1/bert-small": ("Bert", {"hidden_size": 512, "num_hidden_layers": 4, "num_attention_heads": 8, "intermediate_size": 2048}),
    "distilbert-base-uncased": ("DistilBert", {}),
    "distilroberta-base": ("Roberta", {"vocab_size": 50265, "num_hidden_layers": 6, "max_position_embeddings": 514, "type_vocab_size": 1}),
}


def without_downloads():
    import transformers

    def from_pretrained(function):
        def make(name, num_labels=2):
            kind, arguments = CONFIGURATIONS[name]
            config = getattr(transformers, kind + "Config")(num_labels=num_labels, **arguments)
            return getattr(transformers, "TF" + kind + function)(config)

        return staticmethod(make)

    for kind in ("Bert", "DistilBert", "Roberta", "Auto"):
        for function in ("Model", "ForSequenceClassification"):
            name = "TF" + kind + ("Model" if kind == "Auto" and function != "Model" else "") + function
            getattr(transformers, name).from_pretrained = from_pretrained(function)


def main():
    out, programs = sys.argv[sys.argv.index("--out") + 1], [a for a in sys.argv[1:] if a.endswith(".py")]
    if len(programs) > 1:
        for program in programs:
            os.spawnl(os.P_WAIT, sys.executable, sys.executable, __file__, program, "--out", out)
        return
    os.environ.update(record.ENVIRONMENT)
    with open(programs[0], encoding="utf-8") as file:
        text = file.read()
    if "keras_hub" in text or "tensorflow_addons" in text:
        os.environ["TF_USE_LEGACY_KERAS"] = "0"
    else:
        os.environ.update(TF_USE_LEGACY_KERAS="1", SM_FRAMEWORK="tf.keras")
        import tensorflow as tf
        import tf_keras

        tf_keras.utils.generic_utils = tf.keras.utils.generic_utils = tf_keras.utils  # segmentation_models reads it
        if "transformers" in text:
            without_downloads()
    rows = record.read_table(out)
    rows += record.rows_of(record.record_case(programs[0]))
    record.write_table(out, record.COLUMNS, rows)


if __name__ == "__main__":
    main()
