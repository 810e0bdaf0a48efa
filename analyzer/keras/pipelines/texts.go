package pipelines

import (
	"strings"

	"github.com/tfmem/tfmem/analyzer/keras/state"
	"github.com/tfmem/tfmem/analyzer/objects"
	"github.com/tfmem/tfmem/analyzer/tensor"
	"github.com/tfmem/tfmem/analyzer/value"
)

// tokenizer is the Tokenizer of Keras 2, which numbers the words of texts
// (keras/src/legacy/preprocessing/text.py). Texts outside of the program are not read.
type tokenizer struct {
	value.Base
	h *state.Host
	// limit is num_words: how many of the words count. standard is set if words are separated by
	// blanks and signs, in lower case.
	limit    value.Value
	standard bool
	words    map[string]bool // of the known texts, with the token for unknown words
	unread   bool            // there are other texts
}

// The bounds of the vocabulary of texts that are not read. The upper one is the number of vectors
// in GloVe.
const (
	fewestWords = 1000
	mostWords   = 400_000
)

func newTokenizer(h *state.Host, args *value.Args) value.Value {
	limit, _ := args.Get(0, "num_words")
	t := &tokenizer{Base: "a tokenizer", h: h, limit: limit, standard: true, words: map[string]bool{}}
	for i, name := range []string{"filters", "lower", "split", "char_level"} {
		if _, given := args.Get(1+i, name); given {
			t.standard = false
		}
	}
	if token, given := args.Get(5, "oov_token"); given && token.X != (value.None{}) {
		text, _ := token.X.(string)
		t.words[text] = true
	}
	return value.Value{X: t}
}

func (t *tokenizer) GetAttr(_ *value.Interp, name string) (value.Value, bool) {
	switch name {
	case "num_words":
		return t.limit, t.limit.X != nil
	case "fit_on_texts":
		return objects.Method(func(_ *value.Interp, args *value.Args) value.Value {
			texts, _ := args.Get(0, "texts")
			t.read(texts)
			return value.Value{X: value.None{}}
		})
	case "fit_on_sequences":
		return objects.Method(func(*value.Interp, *value.Args) value.Value {
			t.unread = true
			return value.Value{X: value.None{}}
		})
	case "texts_to_sequences", "sequences_to_texts":
		return objects.Method(func(*value.Interp, *value.Args) value.Value {
			return t.h.Unknown(value.FileContents, "what is in texts is not read")
		})
	case "texts_to_matrix", "sequences_to_matrix": // a column for each word
		return objects.Method(func(*value.Interp, *value.Args) value.Value {
			n, ok := t.limit.Int()
			if !ok {
				return t.h.Unknown(value.CategoryCount, "how many different words the texts have is in the data, which is not read")
			}
			return t.h.Arrays.Array(tensor.Shape{tensor.None, n}, "float64")
		})
	case "word_index", "index_word":
		return t.index(), true
	}
	return t.Unknown("a use of "), true
}

// read adds the words of texts, as far as they are known.
func (t *tokenizer) read(texts value.Value) {
	items, ok := objects.Sequence(texts)
	t.unread = t.unread || !ok || !t.standard
	for _, item := range items {
		text, ok := item.X.(string)
		if t.unread = t.unread || !ok; t.unread {
			return
		}
		for _, word := range strings.FieldsFunc(strings.ToLower(text), func(r rune) bool { return strings.ContainsRune(separators, r) }) {
			t.words[word] = true
		}
	}
}

// separators are the signs between words (Tokenizer, filters=, split=).
const separators = "!\"#$%&()*+,-./:;<=>?@[\\]^_`{|}~\t\n "

// index returns a vocabulary of which only the size is known.
func (t *tokenizer) index() value.Value {
	number := t.h.Arrays.Array(tensor.Shape{}, "int64")
	switch {
	case !t.unread:
		return value.Value{X: &objects.Counted{Base: "the words of texts", Ends: &t.h.Bounds, Low: int64(len(t.words)), High: int64(len(t.words)), Item: number}}
	case !t.standard || t.h.Bounds.At == state.Unbounded:
		return t.h.Unknown(value.CategoryCount, "how many different words the texts have is in the data, which is not read")
	}
	return value.Value{X: &objects.Counted{Base: "the words of texts", Ends: &t.h.Bounds, Low: fewestWords, High: mostWords,
		Why: "How many words the texts have is not known, as they are not read: they are taken to be 1,000 to 400,000.", Item: number}}
}
