package interp

import (
	"strings"

	"github.com/tfmem/tfmem/analyzer/syntax"
	"github.com/tfmem/tfmem/analyzer/value"
)

// Bounds of what is said of an iteration.
const (
	mostSettings   = 8
	longestSetting = 24 // in bytes
)

// Settings says what the running for loops give to their names, as far as it is numbers and texts. Of a
// mapping it says the items.
func Settings(in *value.Interp) []value.Setting {
	var s settings
	for _, it := range in.Iterations {
		s.bind(in, it.Targets, it.Item)
	}
	return s
}

type settings []value.Setting

func (s *settings) bind(in *value.Interp, target syntax.Node, item value.Value) {
	switch target.Kind() {
	case syntax.Identifier:
		d, ok := item.X.(*value.Dict)
		if !ok || d.Open != nil {
			s.add(in, target.Text(), item)
			return
		}
		for i, key := range d.Keys {
			if name, ok := key.X.(string); ok {
				s.add(in, name, d.Values[i])
			}
		}
	case syntax.PatternList, syntax.TuplePattern, syntax.ListPattern:
		var items []value.Value
		switch x := item.X.(type) {
		case value.Tuple:
			items = x
		case *value.List:
			if x.Open == nil && !x.Consumed {
				items = x.Items
			}
		}
		i := 0
		for t := range target.Children() {
			if i < len(items) && t.Kind() != syntax.ListSplatPattern {
				s.bind(in, t, items[i])
			} else {
				return
			}
			i++
		}
	}
}

func (s *settings) add(in *value.Interp, name string, v value.Value) {
	var b strings.Builder
	if len(*s) == mostSettings || !few(v) || writeRepr(in, &b, v, 3) != nil {
		return
	}
	text := b.String()
	if len(text) > longestSetting {
		text = strings.ToValidUTF8(text[:longestSetting], "") + "…"
	}
	*s = append(*s, value.Setting{Name: name, Text: text})
}

// few reports whether a value is a number, a text, or a few of them.
func few(v value.Value) bool {
	items := []value.Value{v}
	switch x := v.X.(type) {
	case value.Tuple:
		items = x
	case *value.List:
		if x.Open != nil || x.Consumed {
			return false
		}
		items = x.Items
	}
	for _, item := range items {
		switch item.X.(type) {
		case int64, float64, bool, string, value.None:
		default:
			return false
		}
	}
	return len(items) <= mostSettings
}
