package python

import (
	"encoding/json"
	"errors"
	"io"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/tfmem/tfmem/analyzer/interp"
	"github.com/tfmem/tfmem/analyzer/value"
	"go.yaml.in/yaml/v3"
)

// Settings that programs read: JSON, YAML, TOML, and OmegaConf on top of YAML. Users may run
// the program with other settings, so everything read from a file is
// [value.Value.Overridable].

// fromJSON parses a JSON text, as json.loads does.
func fromJSON(in *value.Interp, text string) value.Value {
	d := &jsonText{json.NewDecoder(strings.NewReader(text)), places{text: text}}
	d.UseNumber()
	v, err := jsonValue(in, d, interp.MaxNested)
	if _, more := d.Token(); err != nil || !errors.Is(more, io.EOF) {
		return in.Unknown(value.FileContents, "a text that is no JSON")
	}
	return v
}

// jsonOf evaluates json.load and json.loads.
func jsonOf(in *value.Interp, args *value.Args) value.Value {
	var hook value.Value
	pairs := false
	for name, v := range args.Keywords.All() {
		switch _, none := v.X.(value.None); {
		case none, name == "object_hook" && pairs: // object_pairs_hook takes precedence
		case name == "object_hook", name == "object_pairs_hook":
			hook, pairs = v, name == "object_pairs_hook"
		default:
			return in.Unknown(value.FileContents, "what is made of JSON with %s", name)
		}
	}
	if len(args.Positional) != 1 {
		return in.Unknown(value.FileContents, "what is made of JSON")
	}
	v := loaded(in, args.Positional[0], func(text string) value.Value { return fromJSON(in, text) })
	if hook.X == nil {
		return v
	}
	return hooked(in, v, hook, pairs, interp.MaxNested)
}

// hooked returns what a hook makes of the objects of JSON, the inner ones first. With pairs it is given
// their items in a list.
func hooked(in *value.Interp, v, hook value.Value, pairs bool, depth int) value.Value {
	if depth == 0 || !in.Spend(1) {
		return in.Unknown(value.TooLong, "settings that are too deep to follow")
	}
	switch x := v.X.(type) {
	case *value.List:
		for i := range x.Items {
			x.Items[i] = hooked(in, x.Items[i], hook, pairs, depth-1)
		}
	case *value.Dict:
		items := &value.List{}
		for i := range x.Values {
			x.Values[i] = hooked(in, x.Values[i], hook, pairs, depth-1)
			items.Items = append(items.Items, value.Value{X: value.Tuple{x.Keys[i], x.Values[i]}})
		}
		if pairs {
			v = value.Value{X: items}
		}
		return interp.Call(in, hook, &value.Args{Positional: []value.Value{v}})
	}
	return v
}

// A jsonText is a text of JSON, read up to the last number.
type jsonText struct {
	*json.Decoder
	places places
}

// A places tells where numbers stand in a text, in their order.
type places struct {
	text           string
	end, line, row int // of the last number, its line, and where that starts
}

// at returns the place of the next number.
func (p *places) at(start int, number string) *value.Scalar {
	passed := p.text[p.end:start]
	p.line += strings.Count(passed, "\n")
	if i := strings.LastIndexByte(passed, '\n'); i >= 0 {
		p.row = p.end + i + 1
	}
	p.end = start
	return &value.Scalar{Line: p.line, Column: utf8.RuneCountInString(p.text[p.row:start]), Text: number}
}

var errTooDeep = errors.New("it is too deep, or too long")

func jsonValue(in *value.Interp, d *jsonText, depth int) (value.Value, error) {
	t, err := d.Token()
	if err != nil {
		return value.Value{}, err
	}
	if depth == 0 || !in.Spend(1) {
		return value.Value{}, errTooDeep
	}
	switch t := t.(type) {
	case nil:
		return value.NoneValue, nil
	case json.Number:
		v := numeral(t.String())
		v.Scalar = d.places.at(int(d.InputOffset())-len(t.String()), t.String())
		return v, nil
	case json.Delim:
		out := &value.Dict{}
		l := &value.List{}
		for d.More() {
			var key value.Value
			if t == '{' {
				if key, err = jsonValue(in, d, depth-1); err != nil {
					return key, err
				}
			}
			v, err := jsonValue(in, d, depth-1)
			if err != nil {
				return v, err
			}
			if t == '{' {
				put(out, key, v)
			} else {
				l.Items = append(l.Items, v)
			}
		}
		if _, err := d.Token(); err != nil { // the closing bracket
			return value.Value{}, err
		}
		if t == '{' {
			return value.Value{X: out}, nil
		}
		return value.Value{X: l}, nil
	}
	return value.Value{X: t}, nil // a text or a truth value
}

// put adds an item to a mapping. A number knows its key then.
func put(d *value.Dict, key, v value.Value) {
	if v.Scalar != nil {
		v.Scalar.Key, _ = key.X.(string)
	}
	d.Put(key, v)
}

// numeral parses a number as Python reads it.
func numeral(text string) value.Value {
	if n, err := strconv.ParseInt(text, 10, 64); err == nil {
		return value.Value{X: n}
	}
	if f, err := strconv.ParseFloat(text, 64); err == nil && strings.ContainsAny(text, ".eE") {
		return value.Value{X: f}
	}
	return value.Value{X: value.Unknown{Cause: value.Because(value.TooLong, "a number that is too large to follow")}}
}

// fromYAML parses a YAML text as PyYAML does, or as OmegaConf does, which takes 1e-3
// for a number.
func fromYAML(in *value.Interp, text string, omega bool) value.Value {
	d := yaml.NewDecoder(strings.NewReader(text))
	var document, more yaml.Node
	switch err := d.Decode(&document); {
	case errors.Is(err, io.EOF):
		return value.NoneValue
	case err != nil, !errors.Is(d.Decode(&more), io.EOF):
		return in.Unknown(value.FileContents, "a text that is not one document of YAML")
	}
	return yamlValue(in, document.Content[0], omega, interp.MaxNested)
}

func yamlValue(in *value.Interp, n *yaml.Node, omega bool, depth int) value.Value {
	v := yamlNode(in, n, omega, depth)
	if n.Kind == yaml.AliasNode || n.Anchor != "" {
		eachScalar(v, func(s *value.Scalar) { s.Shared = true })
	}
	return v
}

func yamlNode(in *value.Interp, n *yaml.Node, omega bool, depth int) value.Value {
	if depth == 0 || !in.Spend(1) {
		return in.Unknown(value.TooLong, "settings that are too deep to follow")
	}
	if n.Kind != yaml.AliasNode && n.Style&yaml.TaggedStyle != 0 {
		return in.Unknown(value.FileContents, "what the tag %s of YAML makes", n.Tag)
	}
	switch n.Kind {
	case yaml.AliasNode:
		return yamlValue(in, n.Alias, omega, depth-1)
	case yaml.SequenceNode:
		l := &value.List{}
		for _, item := range n.Content {
			l.Items = append(l.Items, yamlValue(in, item, omega, depth-1))
		}
		return value.Value{X: l}
	case yaml.MappingNode:
		return value.Value{X: yamlMapping(in, n, omega, depth)}
	}
	if n.Style != 0 {
		return value.Value{X: n.Value} // quoted, or a block of text
	}
	v := yamlScalar(in, n.Value, omega)
	if _, number := v.Int(); number {
		v.Scalar = &value.Scalar{Line: n.Line - 1, Column: n.Column - 1, Text: n.Value}
	}
	return v
}

// yamlMapping returns a mapping with the mappings that are merged into it; its own keys
// take precedence.
func yamlMapping(in *value.Interp, n *yaml.Node, omega bool, depth int) *value.Dict {
	out := &value.Dict{}
	for own := range 2 {
		for i := 0; i+1 < len(n.Content); i += 2 {
			key, item := n.Content[i], n.Content[i+1]
			if merges := key.Value == "<<" && key.Style == 0; merges == (own == 1) {
				continue
			} else if !merges {
				name := yamlValue(in, key, omega, depth-1)
				if !in.Hashable(name) {
					in.OpenDict(out, value.Because(value.Settings, "a key of settings is not known"))
					continue
				}
				put(out, name, yamlValue(in, item, omega, depth-1))
				continue
			}
			merged := []*yaml.Node{item}
			if item.Kind == yaml.SequenceNode {
				merged = slices.Clone(item.Content)
				slices.Reverse(merged) // the first takes precedence
			}
			for _, m := range merged {
				interp.Update(in, out, yamlValue(in, m, omega, depth-1))
			}
		}
	}
	return out
}

// Plain scalars of YAML (yaml/resolver.py; for OmegaConf omegaconf/_utils.py,
// get_yaml_loader).
var (
	yamlTruth   = regexp.MustCompile(`^(?:yes|Yes|YES|no|No|NO|true|True|TRUE|false|False|FALSE|on|On|ON|off|Off|OFF)$`)
	yamlWhole   = regexp.MustCompile(`^[-+]?(?:0|[1-9][0-9_]*)$`)
	yamlFloat   = regexp.MustCompile(`^(?:[-+]?[0-9][0-9_]*\.[0-9_]*(?:[eE][-+][0-9]+)?|\.[0-9][0-9_]*(?:[eE][-+][0-9]+)?)$`)
	omegaFloat  = regexp.MustCompile(`^(?:[-+]?[0-9][0-9_]*\.[0-9_]*(?:[eE][-+]?[0-9]+)?|[-+]?[0-9][0-9_]*[eE][-+]?[0-9]+|\.[0-9_]+(?:[eE][-+][0-9]+)?)$`)
	yamlNothing = regexp.MustCompile(`^(?:~|null|Null|NULL|)$`)
	// yamlOther matches numbers to other bases, times, dates, infinities and NaN.
	yamlOther = regexp.MustCompile(`^(?:[-+]?0(?:b[01_]+|x[0-9a-fA-F_]+|[0-7_]+)|[-+]?[0-9][0-9_]*(?::[0-5]?[0-9])+(?:\.[0-9_]*)?|[0-9]{4}-[0-9]{1,2}-[0-9]{1,2}.*|[-+]?\.(?:inf|Inf|INF|nan|NaN|NAN)|=)$`)
)

func yamlScalar(in *value.Interp, text string, omega bool) value.Value {
	floats := yamlFloat
	if omega {
		floats = omegaFloat
	}
	switch {
	case yamlNothing.MatchString(text):
		return value.NoneValue
	case yamlTruth.MatchString(text):
		return value.Value{X: slices.Contains([]string{"yes", "true", "on"}, strings.ToLower(text))}
	case yamlWhole.MatchString(text), floats.MatchString(text):
		return numeral(strings.TrimPrefix(strings.ReplaceAll(text, "_", ""), "+"))
	case yamlOther.MatchString(text):
		return in.Unknown(value.FileContents, "what YAML makes of %s", text)
	}
	return value.Value{X: text}
}

// eachSetting replaces every scalar in nested mappings and lists.
func eachSetting(v value.Value, of func(value.Value) value.Value) value.Value {
	switch x := v.X.(type) {
	case *value.List:
		for i := range x.Items {
			x.Items[i] = eachSetting(x.Items[i], of)
		}
		return v
	case *value.Dict:
		for i := range x.Values {
			x.Values[i] = eachSetting(x.Values[i], of)
		}
		return v
	}
	return of(v)
}

// eachScalar calls do for each number of nested mappings and lists.
func eachScalar(v value.Value, do func(*value.Scalar)) {
	eachSetting(v, func(v value.Value) value.Value {
		if v.Scalar != nil {
			do(v.Scalar)
		}
		return v
	})
}

// read returns settings that are read from a file.
func read(v value.Value, path string) value.Value {
	eachScalar(v, func(s *value.Scalar) { s.Path = path })
	return overridable(v)
}

// overridable marks values as overridable.
func overridable(v value.Value) value.Value {
	return eachSetting(v, func(v value.Value) value.Value {
		v.Overridable = v.Overridable || v.Known()
		return v
	})
}

// loaded returns the result of a function that parses a file or a text.
func loaded(in *value.Interp, from value.Value, of func(text string) value.Value) value.Value {
	switch x := from.X.(type) {
	case *file:
		text := rest(in, x)
		s, ok := text.X.(string)
		if !ok {
			return text
		}
		v := of(s)
		if text.Scalar != nil {
			return read(v, x.path)
		}
		return overridable(v)
	case string:
		v := of(x)
		if from.Scalar != nil && from.Scalar.Text == "" {
			eachScalar(v, func(s *value.Scalar) { s.Path = from.Scalar.Path })
		}
		return v
	}
	return in.Unknown(value.FileContents, "what is read of %s", interp.Describe(in, from))
}

func addSettings(lenient value.Adder) {
	lenient(jsonOf, "json.load", "json.loads")
	lenient(func(in *value.Interp, args *value.Args) value.Value {
		from, ok := args.Get(0, "stream")
		if loader, given := args.Get(1, "Loader"); !ok || given && !isYAMLLoader(loader) {
			return in.Unknown(value.FileContents, "what is made of YAML")
		}
		return loaded(in, from, func(text string) value.Value { return fromYAML(in, text, false) })
	}, "yaml.safe_load", "yaml.load", "yaml.full_load", "yaml.unsafe_load")
	lenient(tomlOf, "tomllib.load", "tomllib.loads", "tomli.load", "tomli.loads", "toml.loads")
	lenient(func(in *value.Interp, args *value.Args) value.Value {
		if _, ok := value.PathText(value.Positional(args, 0)); ok {
			args = &value.Args{Positional: []value.Value{openFile(in, args)}}
		}
		return tomlOf(in, args)
	}, "toml.load")
	lenient(func(in *value.Interp, args *value.Args) value.Value {
		from, _ := args.Get(0, "file_")
		if _, ok := value.PathText(from); ok {
			from = openFile(in, &value.Args{Positional: []value.Value{from}})
		}
		return omega(in, loaded(in, from, func(text string) value.Value { return fromYAML(in, text, true) }))
	}, "omegaconf.OmegaConf.load")
	lenient(func(in *value.Interp, args *value.Args) value.Value {
		if text, ok := value.Positional(args, 0).X.(string); ok {
			return omega(in, fromYAML(in, text, true))
		}
		return omega(in, structured(in, value.Positional(args, 0)))
	}, "omegaconf.OmegaConf.create", "omegaconf.OmegaConf.structured")
	lenient(func(in *value.Interp, args *value.Args) value.Value {
		out := value.Value{X: &value.Dict{}}
		for _, v := range args.Positional {
			if out = overlaid(in, out, linked(structured(in, v)), interp.MaxNested); !out.Known() {
				return out
			}
		}
		return interp.WithAttributes(in, out, interp.MaxNested)
	}, "omegaconf.OmegaConf.merge")
	lenient(func(in *value.Interp, args *value.Args) value.Value {
		resolve, _ := args.Get(1, "resolve")
		return contained(in, value.Positional(args, 0), resolve.X == true)
	}, "omegaconf.OmegaConf.to_container")
	lenient(func(in *value.Interp, args *value.Args) value.Value {
		return contained(in, value.Positional(args, 0), true)
	}, "omegaconf.OmegaConf.to_object")
	lenient(func(in *value.Interp, args *value.Args) value.Value {
		interp.ForgetSettings(in, value.Positional(args, 0), value.Because(value.UnmodelledPython, "what OmegaConf.update changes"), interp.MaxNested)
		return value.NoneValue
	}, "omegaconf.OmegaConf.update", "omegaconf.OmegaConf.resolve")
}

// isYAMLLoader reports whether a loader accepts plain YAML only.
func isYAMLLoader(v value.Value) bool {
	x, ok := v.X.(value.External)
	return ok && strings.HasPrefix(x.Name, "yaml.") && strings.HasSuffix(x.Name, "Loader")
}

// contained returns settings as plain dicts and lists. Interpolations stay as written
// unless resolved is set.
func contained(in *value.Interp, settings value.Value, resolved bool) value.Value {
	d, _ := settings.X.(*value.Dict)
	return plainly(in, settings, func(v value.Value) value.Value {
		x, ok := v.X.(interp.Setting)
		if ok && resolved && d != nil {
			return interp.Settled(in, d, v)
		} else if ok {
			v.X = x.Text
		}
		return v
	}, interp.MaxNested)
}

// structured returns the mapping that OmegaConf makes from an object, or a class, with
// fields.
func structured(in *value.Interp, v value.Value) value.Value {
	if c, ok := v.X.(*value.Class); ok && c.Fields != nil {
		v = interp.Call(in, v, &value.Args{})
	}
	return plainly(in, dictOfFields(in, v, interp.MaxNested), func(v value.Value) value.Value { return v }, interp.MaxNested)
}

// plainly returns a copy of nested mappings and lists, without keys as attributes; of
// converts each scalar.
func plainly(in *value.Interp, v value.Value, of func(value.Value) value.Value, depth int) value.Value {
	if depth == 0 || !in.Spend(1) {
		return in.Unknown(value.TooLong, "settings that are too deep to follow")
	}
	v = of(v)
	switch x := v.X.(type) {
	case *value.Dict:
		d := in.CopyDict(x)
		d.Dotted, d.Root = false, nil
		for i := range d.Values {
			d.Values[i] = plainly(in, d.Values[i], of, depth-1)
		}
		return value.Value{X: d}
	case *value.List:
		l := &value.List{Items: slices.Clone(x.Items), Open: x.Open}
		for i := range l.Items {
			l.Items[i] = plainly(in, l.Items[i], of, depth-1)
		}
		return value.Value{X: l}
	}
	return v
}

// overlaid merges settings over others, mapping by mapping.
func overlaid(in *value.Interp, below, above value.Value, depth int) value.Value {
	b, ok := below.X.(*value.Dict)
	a, also := above.X.(*value.Dict)
	switch {
	case !below.Known():
		return below
	case !above.Known(), depth == 0, !in.Spend(1):
		return in.Unknown(value.Settings, "settings that are not known: %s", interp.Describe(in, above))
	case !ok || !also:
		return above
	}
	out := in.CopyDict(b)
	if a.Open != nil {
		in.OpenDict(out, a.Open)
	}
	for i, key := range a.Keys {
		v := a.Values[i]
		if old, ok := out.At(key); ok && old.Known() && v.Known() {
			v = overlaid(in, old, v, depth-1)
		}
		out.Put(key, v)
	}
	return value.Value{X: out}
}

// omega returns settings as OmegaConf has them: keys are attributes, and
// "${model.units}" refers to another value.
func omega(in *value.Interp, v value.Value) value.Value {
	return interp.WithAttributes(in, linked(v), interp.MaxNested)
}

// linked resolves interpolations in settings. It changes its argument.
func linked(v value.Value) value.Value {
	return eachSetting(v, func(v value.Value) value.Value {
		switch text, _ := v.X.(string); {
		case text == "???":
			v.X = value.Unknown{Cause: value.Because(value.CommandLine, "a setting that whoever runs the program must give")}
		case strings.Contains(text, "${"):
			v.X = interp.Setting{Opaque: value.Opaque{Base: "a setting that is read through others"}, Text: text}
		}
		return v
	})
}
