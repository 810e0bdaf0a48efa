package keras_test

import "testing"

// TestTexts holds what is known of texts that nobody reads: how long padded sequences are, and
// how wide a matrix of words.
func TestTexts(t *testing.T) {
	p := follow(`
import json
import numpy as np
from keras.preprocessing.text import Tokenizer
from tensorflow.keras.preprocessing.sequence import pad_sequences
from tensorflow.keras.models import Sequential
from tensorflow.keras.layers import Bidirectional, Dense, Embedding, LSTM
headlines = [entry["headline"] for entry in json.load(open("sarcasm.json"))]
tokenizer = Tokenizer(num_words=1000, oov_token="<OOV>")
tokenizer.fit_on_texts(headlines)
x = np.array(pad_sequences(tokenizer.texts_to_sequences(headlines), maxlen=120, padding="post"))
words = Sequential([Embedding(1000, 16, input_length=120), Bidirectional(LSTM(32)), Dense(1)])
words.compile("adam", "mse")
words.fit(x, labels, batch_size=64)
bags = Sequential([Dense(64), Dense(1)])
bags.compile("adam", "mse")
bags.fit(tokenizer.texts_to_matrix(headlines, mode="tfidf"), labels, batch_size=16)
all = Sequential([Embedding(len(tokenizer.word_index) + 1, 16), Dense(1)])
all.compile("adam", "mse")
all.fit(x, labels)
long = Sequential([Dense(1)])
long.compile("adam", "mse")
long.fit(pad_sequences(tokenizer.texts_to_sequences(headlines)), labels)
`)
	want := map[string]int64{"words": 28609, "bags": 64129, "all": 0, "long": 0}
	for _, m := range p.Models {
		got, _ := m.Parameters()
		if known := m.Known() && m.Unbuilt() == ""; known != (want[m.Variable] > 0) || known && got != want[m.Variable] {
			t.Errorf("%s has %d parameters (known: %v), want %d; %v %s", m.Variable, got, known, want[m.Variable], m.Unresolved, m.Unbuilt())
		}
		delete(want, m.Variable)
	}
	if len(want) > 0 || len(p.Lost) > 0 {
		t.Errorf("not found: %v; lost: %v", want, p.Lost)
	}
}
