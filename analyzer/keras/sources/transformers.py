# The TensorFlow models of transformers that are BERT, RoBERTa or DistilBERT (models/bert/modeling_tf_bert.py,
# models/roberta/modeling_tf_roberta.py, models/distilbert/modeling_tf_distilbert.py), and their tokenizers, as far as
# shapes, weights and memory depend on them.
import collections
import math

import numpy as np
import tensorflow as tf
import transformers

layers = tf.keras.layers

Encoded = collections.namedtuple("Encoded", "last_hidden_state pooler_output")
Hidden = collections.namedtuple("Hidden", "last_hidden_state")
Scores = collections.namedtuple("Scores", "logits")


class Config:
    def __init__(self, kind, vocab, hidden, depth, heads, inner, positions, types):
        self.kind, self.vocab_size, self.hidden_size, self.dim = kind, vocab, hidden, hidden
        self.num_hidden_layers, self.num_attention_heads, self.intermediate_size = depth, heads, inner
        self.max_position_embeddings, self.type_vocab_size = positions, types
        self.hidden_dropout_prob = 0.1


class Embeddings(layers.Layer):
    def __init__(self, config, **kwargs):
        super().__init__(**kwargs)
        self.config = config
        self.LayerNorm = layers.LayerNormalization(epsilon=1e-12)
        self.dropout = layers.Dropout(0.1)

    def build(self, input_shape):
        c = self.config
        self.weight = self.add_weight(name="weight", shape=[c.vocab_size, c.hidden_size])
        if c.type_vocab_size:
            self.types = self.add_weight(name="types", shape=[c.type_vocab_size, c.hidden_size])
        self.positions = self.add_weight(name="positions", shape=[c.max_position_embeddings, c.hidden_size])

    def call(self, ids, token_type_ids=None, training=False):
        x = tf.gather(self.weight, ids)
        x = x + tf.gather(self.positions, tf.expand_dims(tf.range(ids.shape[1]), 0))
        if self.config.type_vocab_size:
            x = x + tf.gather(self.types, tf.zeros_like(ids) if token_type_ids is None else token_type_ids)
        return self.dropout(self.LayerNorm(x), training=training)


class Attention(layers.Layer):
    def __init__(self, config, **kwargs):
        super().__init__(**kwargs)
        self.config = config
        self.query = layers.Dense(config.hidden_size)
        self.key = layers.Dense(config.hidden_size)
        self.value = layers.Dense(config.hidden_size)
        self.dropout = layers.Dropout(0.1)

    def parted(self, x):
        heads = self.config.num_attention_heads
        return tf.transpose(tf.reshape(x, (-1, x.shape[1], heads, x.shape[2] // heads)), [0, 2, 1, 3])

    def call(self, x, mask, training=False):
        q, k, v = self.parted(self.query(x)), self.parted(self.key(x)), self.parted(self.value(x))
        width = self.config.hidden_size // self.config.num_attention_heads
        if self.config.kind == "distilbert":
            scores = tf.matmul(q * (1 / math.sqrt(width)), k, transpose_b=True)
            scores = scores - 1e30 * (1.0 - mask)
        else:
            scores = tf.matmul(q, k, transpose_b=True) / math.sqrt(width) + (1.0 - mask) * -10000.0
        weights = self.dropout(tf.nn.softmax(scores + 1e-9, axis=-1), training=training)
        out = tf.transpose(tf.matmul(weights, v), [0, 2, 1, 3])
        return tf.reshape(out, (-1, x.shape[1], self.config.hidden_size))


class Block(layers.Layer):
    def __init__(self, config, **kwargs):
        super().__init__(**kwargs)
        self.distils = config.kind == "distilbert"
        self.attention = Attention(config)
        self.dense = layers.Dense(config.hidden_size)
        self.dropout1 = layers.Dropout(0.1)
        self.norm1 = layers.LayerNormalization(epsilon=1e-12)
        self.intermediate = layers.Dense(config.intermediate_size)
        self.output_dense = layers.Dense(config.hidden_size)
        self.dropout2 = layers.Dropout(0.1)
        self.norm2 = layers.LayerNormalization(epsilon=1e-12)

    def call(self, x, mask, training=False):
        a = self.dense(self.attention(x, mask, training=training))
        if not self.distils:
            a = self.dropout1(a, training=training)
        x = self.norm1(a + x)
        y = self.output_dense(tf.keras.activations.gelu(self.intermediate(x)))
        return self.norm2(self.dropout2(y, training=training) + x)


class Main(layers.Layer):
    def __init__(self, config, pooled, **kwargs):
        super().__init__(**kwargs)
        self.embeddings = Embeddings(config, name="embeddings")
        self.blocks = [Block(config, name="layer_._{}".format(i)) for i in range(config.num_hidden_layers)]
        self.pooler = layers.Dense(config.hidden_size, activation="tanh", name="pooler") if pooled else None

    def call(self, ids, mask=None, token_type_ids=None, training=False):
        if mask is None:
            mask = tf.ones_like(ids)
        x = self.embeddings(ids, token_type_ids, training=training)
        mask = tf.cast(tf.reshape(mask, (-1, 1, 1, ids.shape[1])), x.dtype)
        for block in self.blocks:
            x = block(x, mask, training=training)
        return x, None if self.pooler is None else self.pooler(x[:, 0])


def unpacked(given, mask, types):
    if isinstance(given, dict):
        return given["input_ids"], given.get("attention_mask", mask), given.get("token_type_ids", types)
    if isinstance(given, (list, tuple)):
        return given[0], given[1] if len(given) > 1 else mask, given[2] if len(given) > 2 else types
    return given, mask, types


class Encoder(tf.keras.Model):
    def __init__(self, config, pooled=True, **kwargs):
        super().__init__(**kwargs)
        self.config = config
        self.main = Main(config, pooled and config.kind != "distilbert", name=config.kind)
        self.bert = self.roberta = self.distilbert = self.main

    def call(self, input_ids=None, attention_mask=None, token_type_ids=None, training=False):
        ids, mask, types = unpacked(input_ids, attention_mask, token_type_ids)
        x, pooled = self.main(ids, mask, types, training=training)
        return Hidden(x) if pooled is None else Encoded(x, pooled)


class Classifier(tf.keras.Model):
    def __init__(self, config, labels, **kwargs):
        super().__init__(**kwargs)
        self.config = config
        self.main = Main(config, config.kind == "bert", name=config.kind)
        self.bert = self.roberta = self.distilbert = self.main
        self.hidden = None
        if config.kind != "bert":
            self.hidden = layers.Dense(config.hidden_size, activation="relu" if config.kind == "distilbert" else "tanh")
        self.dropout = layers.Dropout(0.2 if config.kind == "distilbert" else 0.1)
        self.classifier = layers.Dense(labels, name="classifier")

    def call(self, input_ids=None, attention_mask=None, token_type_ids=None, training=False):
        ids, mask, types = unpacked(input_ids, attention_mask, token_type_ids)
        x, pooled = self.main(ids, mask, types, training=training)
        if self.hidden is None:
            x = pooled
        else:
            x = x[:, 0]
            if self.config.kind == "roberta":
                x = self.dropout(x, training=training)
            x = self.hidden(x)
        return Scores(self.classifier(self.dropout(x, training=training)))


def encoder(config, add_pooling_layer=True, trainable=True, name=None, **kwargs):
    return Encoder(Config(*config), add_pooling_layer, name=name)


def classifier(config, num_labels=2, id2label=None, name=None, **kwargs):
    return Classifier(Config(*config), num_labels if id2label is None else len(id2label), name=name)


class Encoding(dict):
    # BatchEncoding (tokenization_utils_base.py): its keys are attributes, too.
    def __init__(self, data):
        super().__init__(data)
        self.data = data

    def __getattr__(self, name):
        return self[name]

    def convert_to_tensors(self, tensor_type=None, prepend_batch_axis=False):
        return self


class Tokenizer:
    # longest and single, which transformers does not have, say what only the texts would tell (transformers.go).
    # PreTrainedTokenizerBase (tokenization_utils_base.py). What texts say is not read: what matters is how many there
    # are, and how many tokens each has once it is padded.
    def __init__(self, kind, vocabulary):
        self.kind, self.vocab_size, self.model_max_length = kind, vocabulary, 512
        self.model_input_names = ["input_ids", "token_type_ids", "attention_mask"] if kind == "bert" else ["input_ids", "attention_mask"]

    def __len__(self):
        return self.vocab_size

    def __getattr__(self, name):
        return getattr(transformers.PreTrainedTokenizerBase, name)

    def __call__(self, text=None, text_pair=None, add_special_tokens=True, padding=False, truncation=None, max_length=None, stride=0,
                 is_split_into_words=False, pad_to_multiple_of=None, padding_side=None, return_tensors=None, return_token_type_ids=None,
                 return_attention_mask=None, pad_to_max_length=False, **kwargs):
        most = self.model_max_length if max_length is None else max_length
        if padding == "max_length" or pad_to_max_length:
            tokens = most
        elif truncation:
            tokens = transformers.tokenization_utils_base.longest(most)
        else:
            tokens = transformers.tokenization_utils_base.longest(None)
        single = transformers.tokenization_utils_base.single(text)
        shape = (1, tokens) if single and return_tensors else (tokens,) if single else (len(text), tokens)
        names = self.model_input_names
        if return_token_type_ids is not None:
            names = [n for n in names if n != "token_type_ids"] + ["token_type_ids"] * bool(return_token_type_ids)
        if return_attention_mask is not None:
            names = [n for n in names if n != "attention_mask"] + ["attention_mask"] * bool(return_attention_mask)
        if return_tensors == "tf":
            return Encoding({n: tf.zeros(shape, tf.int32) for n in names})
        # TensorFlow makes int32 of Python's numbers, which are lists of lists here.
        return Encoding({n: np.zeros(shape, "int64" if return_tensors == "np" else "int32") for n in names})

    def batch_encode_plus(self, batch_text_or_text_pairs, *args, **kwargs):
        return self(batch_text_or_text_pairs, None, *args, **kwargs)

    def encode_plus(self, *args, **kwargs):
        return self(*args, **kwargs)

    def encode(self, *args, **kwargs):
        return self(*args, **kwargs)["input_ids"]


def tokenizer(kind, vocabulary, **kwargs):
    return Tokenizer(kind, vocabulary)
