package keras

import "github.com/tfmem/tfmem/analyzer/value"

// tokenizer is the Tokenizer of Keras 2, which numbers the words of texts
// (keras/src/legacy/preprocessing/text.py). Nobody reads the texts.
type tokenizer struct {
	base
	h     *host
	words value.Value // how many of the words count: num_words
}

func (h *host) tokenizer(args *value.Args) value.Value {
	words, _ := args.Get(0, "num_words")
	return value.Value{X: &tokenizer{base{"a tokenizer"}, h, words}}
}

func (t *tokenizer) Attr(_ *value.Interp, name string) (value.Value, bool) {
	switch name {
	case "num_words":
		return t.words, t.words.X != nil
	case "fit_on_texts", "fit_on_sequences":
		return method(nothing)
	case "texts_to_sequences", "sequences_to_texts":
		return method(func(*value.Interp, *value.Args) value.Value {
			return t.h.unknown("what is in texts is not read")
		})
	case "texts_to_matrix", "sequences_to_matrix": // a column for each word
		return method(func(*value.Interp, *value.Args) value.Value {
			n, ok := t.words.Int()
			if !ok {
				return t.h.unknown("how many different words the texts have is in the data, which is not read")
			}
			return t.h.newArray(Shape{None, n}, "float64")
		})
	case "word_index", "index_word", "word_counts", "word_docs", "document_count":
		return t.h.unknown("how many different words the texts have is in the data, which is not read"), true
	}
	return value.Value{}, false
}
