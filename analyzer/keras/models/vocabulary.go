package models

import (
	"github.com/tfmem/tfmem/analyzer/keras/layers"
	"github.com/tfmem/tfmem/analyzer/objects"
	"github.com/tfmem/tfmem/analyzer/value"
)

// words answers the methods of a layer that maps words or categories to numbers: they are known
// if the program gives it a vocabulary (keras/src/layers/preprocessing/index_lookup.py,
// vocabulary_size, get_vocabulary).
func (v *LayerValue) words(name string) (value.Value, bool) {
	switch v.Layer.Class {
	case "StringLookup", "IntegerLookup", "TextVectorization":
	default:
		return value.Value{}, false
	}
	switch name {
	case "vocabulary_size", "vocab_size", "get_vocabulary":
		return objects.Method(func(in *value.Interp, args *value.Args) value.Value {
			all, why := v.vocabulary()
			switch {
			case why != nil:
				return why.Unknown()
			case name != "get_vocabulary":
				return value.Value{X: int64(len(all))}
			}
			if special, ok := args.Get(0, "include_special_tokens"); ok && special.X != true {
				return v.H.Unknown(value.UnmodelledLayer, "the vocabulary without its special tokens is not followed")
			}
			return value.Value{X: &value.List{Items: all}}
		})
	}
	return value.Value{}, false
}

// vocabulary returns the words of the layer, with the tokens for masked and unknown words.
func (v *LayerValue) vocabulary() (all []value.Value, why *value.Cause) {
	r := &layers.ArgParser{Args: v.Layer.Args}
	depends := value.Because(value.CategoryCount, "how many words %s knows depends on the data that it adapts to", v.Layer.Name)
	at := map[string]int{"StringLookup": 4, "IntegerLookup": 4, "TextVectorization": 7}[v.Layer.Class]
	given, ok := r.Get(at, "vocabulary")
	if !ok {
		if r.Why != nil {
			return nil, r.Why
		}
		return nil, depends
	}
	words, ok := objects.Sequence(given)
	if !ok {
		return nil, depends
	}
	var special []value.Value
	switch mask, masked := v.Layer.Args.Keywords.Get("mask_token"); {
	case v.Layer.Class == "TextVectorization":
		special = []value.Value{{X: ""}, {X: "[UNK]"}}
	case r.Text(map[string]int{"StringLookup": 7, "IntegerLookup": 8}[v.Layer.Class], "output_mode", "int") != "int":
	case masked && mask.X != value.None{}:
		special = append(special, mask)
	}
	if v.Layer.Class != "TextVectorization" {
		unknown, given := v.Layer.Args.Keywords.Get("oov_token")
		if !given {
			unknown = value.Value{X: "[UNK]"}
			if v.Layer.Class == "IntegerLookup" {
				unknown.X = int64(-1)
			}
		}
		for range r.Number(1, "num_oov_indices", 1) {
			special = append(special, unknown)
		}
	}
	if r.Why != nil {
		return nil, r.Why
	}
	if begins(words, special) {
		words = words[len(special):]
	}
	return append(special, words...), nil
}

// begins reports whether a list of words starts with others.
func begins(words, with []value.Value) bool {
	if len(with) > len(words) {
		return false
	}
	for i, w := range with {
		if words[i].X != w.X {
			return false
		}
	}
	return true
}
