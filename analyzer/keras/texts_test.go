package keras_test

import "testing"

// TestTexts checks what is known of texts that are not read: the length of padded sequences, and
// the width of a matrix of words.
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
	want := map[string]int64{"words": 28609, "bags": 64129, "all": 16033, "long": 0}
	for _, m := range p.Models {
		got, _ := m.Parameters()
		if known := m.Known() && m.Unbuilt() == nil; known != (want[m.Variable] > 0) || known && got != want[m.Variable] {
			t.Errorf("%s has %d parameters (known: %v), want %d; %v %s", m.Variable, got, known, want[m.Variable], m.Unresolved, m.Unbuilt())
		}
		delete(want, m.Variable)
	}
	if len(want) > 0 || len(p.Unresolved) > 0 {
		t.Errorf("not found: %v; lost: %v", want, p.Unresolved)
	}
}

// TestWords checks how many words a tokenizer finds: the exact number in known texts
// (len(Tokenizer.word_index) of Keras 3.15), and a range for others.
func TestWords(t *testing.T) {
	for _, c := range []struct {
		program     string
		least, most int64 // parameters
	}{
		{"t.fit_on_texts(['I love my dog', 'I love my cat!', 'You love MY dog?'])", 6 + 1, 6 + 1},
		{"t = Tokenizer(oov_token='<OOV>')\nt.fit_on_texts(['a b', 'b,c\\td'])\nt.fit_on_texts(('e',))", 6 + 1, 6 + 1},
		{"t.fit_on_texts(open('a.txt').readlines())", 1001, 400_001},
		{"t = Tokenizer(num_words=50)\nt.fit_on_texts(['a b'] + [l for l in open('a.txt')])", 1001, 400_001},
		{"t = Tokenizer(char_level=True)\nt.fit_on_texts(['ab'])", 0, 0},
	} {
		p := follow("from tensorflow.keras.preprocessing.text import Tokenizer\nfrom tensorflow.keras import Input, Sequential, layers\nt = Tokenizer()\n" +
			c.program + "\nm = Sequential([Input((9,)), layers.Embedding(len(t.word_index) + 1, 1)])\n")
		m := p.Models[0]
		least, _ := m.Parameters()
		most := least
		if m.Wider != nil {
			most, _ = m.Wider.Parameters()
		}
		if known := len(m.Unresolved) == 0; known != (c.most > 0) || known && (least != c.least || most != c.most) {
			t.Errorf("%s: %d to %d words, want %d to %d; %q", c.program, least, most, c.least, c.most, m.Unresolved)
		}
	}
}
