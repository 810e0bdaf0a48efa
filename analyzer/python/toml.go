package python

import (
	"strconv"
	"strings"

	"github.com/pelletier/go-toml/v2"
	"github.com/pelletier/go-toml/v2/unstable"
	"github.com/tfmem/tfmem/analyzer/interp"
	"github.com/tfmem/tfmem/analyzer/value"
)

// A tomlText is a text of TOML, read up to the last number.
type tomlText struct {
	*unstable.Parser
	in     *value.Interp
	places places
}

// fromTOML parses a TOML text, as tomllib.loads does.
func fromTOML(in *value.Interp, text string) value.Value {
	if toml.Unmarshal([]byte(text), new(map[string]any)) != nil {
		return in.Unknown(value.FileContents, "a text that is no TOML")
	}
	t := &tomlText{Parser: &unstable.Parser{}, in: in, places: places{text: text}}
	t.Reset([]byte(text))
	root := &value.Dict{}
	table := root
	for t.NextExpression() && in.Spend(1) {
		switch e := t.Expression(); e.Kind {
		case unstable.KeyValue:
			t.put(table, e, interp.MaxNested)
		case unstable.Table, unstable.ArrayTable:
			table = root
			for keys := e.Key(); keys.Next(); {
				table = below(table, string(keys.Node().Data), e.Kind == unstable.ArrayTable && keys.IsLast())
			}
		}
	}
	return value.Value{X: root}
}

// below returns the table of a key, or the last one of an array of tables. another is set for a table
// that is added to such an array.
func below(table *value.Dict, key string, another bool) *value.Dict {
	next := &value.Dict{}
	had, ok := table.Get(key)
	if array, is := had.X.(*value.List); is && !another {
		had, ok = array.Items[len(array.Items)-1], true
	}
	switch x := had.X.(type) {
	case *value.Dict:
		return x
	case *value.List:
		x.Items = append(x.Items, value.Value{X: next})
		return next
	}
	v := value.Value{X: next}
	if another && !ok {
		v.X = &value.List{Items: []value.Value{{X: next}}}
	}
	table.Put(value.Value{X: key}, v)
	return next
}

// put adds the value of a dotted key to a table.
func (t *tomlText) put(table *value.Dict, e *unstable.Node, depth int) {
	v := t.value(e.Value(), depth)
	for keys := e.Key(); keys.Next(); {
		key := string(keys.Node().Data)
		if keys.IsLast() {
			put(table, value.Value{X: key}, v)
		} else {
			table = below(table, key, false)
		}
	}
}

func (t *tomlText) value(n *unstable.Node, depth int) value.Value {
	if depth == 0 || !t.in.Spend(1) {
		return t.in.Unknown(value.TooLong, "settings that are too deep to follow")
	}
	switch text := string(n.Data); n.Kind {
	case unstable.String:
		return value.Value{X: text}
	case unstable.Bool:
		return value.Value{X: text == "true"}
	case unstable.Integer:
		if x, err := strconv.ParseInt(text, 0, 64); err == nil {
			written := string(t.Raw(n.Raw))
			return value.Value{X: x, Scalar: t.places.at(int(n.Raw.Offset), written)}
		}
	case unstable.Float:
		if x, err := strconv.ParseFloat(strings.ReplaceAll(text, "_", ""), 64); err == nil {
			return value.Value{X: x}
		}
	case unstable.Array:
		list := &value.List{}
		for items := n.Children(); items.Next(); {
			list.Items = append(list.Items, t.value(items.Node(), depth-1))
		}
		return value.Value{X: list}
	case unstable.InlineTable:
		table := &value.Dict{}
		for items := n.Children(); items.Next(); {
			t.put(table, items.Node(), depth-1)
		}
		return value.Value{X: table}
	}
	return t.in.Unknown(value.FileContents, "what TOML makes of %s", string(n.Data))
}

// tomlOf evaluates tomllib.load and its like.
func tomlOf(in *value.Interp, args *value.Args) value.Value {
	if len(args.Positional) != 1 { // parse_float
		return in.Unknown(value.FileContents, "what is made of TOML")
	}
	return loaded(in, args.Positional[0], func(text string) value.Value { return fromTOML(in, text) })
}
