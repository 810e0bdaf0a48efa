package value

import (
	"encoding/json"
	"errors"
	"io"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"
)

// Settings that programs read: JSON, YAML, and OmegaConf on top of YAML. Users may run
// the program with other settings, so everything read from a file is
// [Value.Overridable].

// fromJSON parses a JSON text, as json.loads does.
func (in *Interp) fromJSON(text string) Value {
	d := json.NewDecoder(strings.NewReader(text))
	d.UseNumber()
	v, err := in.jsonValue(d, maxNested)
	if _, more := d.Token(); err != nil || !errors.Is(more, io.EOF) {
		return in.Unknown(FileContents, "a text that is no JSON")
	}
	return v
}

var errTooDeep = errors.New("it is too deep, or too long")

func (in *Interp) jsonValue(d *json.Decoder, depth int) (Value, error) {
	t, err := d.Token()
	if err != nil {
		return Value{}, err
	}
	if depth == 0 || !in.Spend(1) {
		return Value{}, errTooDeep
	}
	switch t := t.(type) {
	case nil:
		return noneValue, nil
	case json.Number:
		return numeral(t.String()), nil
	case json.Delim:
		out := &Dict{}
		l := &List{}
		for d.More() {
			var key Value
			if t == '{' {
				if key, err = in.jsonValue(d, depth-1); err != nil {
					return key, err
				}
			}
			v, err := in.jsonValue(d, depth-1)
			if err != nil {
				return v, err
			}
			if t == '{' {
				out.put(key, v)
			} else {
				l.Items = append(l.Items, v)
			}
		}
		if _, err := d.Token(); err != nil { // the closing bracket
			return Value{}, err
		}
		if t == '{' {
			return Value{X: out}, nil
		}
		return Value{X: l}, nil
	}
	return Value{X: t}, nil // a text or a truth value
}

// numeral parses a number as Python reads it.
func numeral(text string) Value {
	if n, err := strconv.ParseInt(text, 10, 64); err == nil {
		return Value{X: n}
	}
	if f, err := strconv.ParseFloat(text, 64); err == nil && strings.ContainsAny(text, ".eE") {
		return Value{X: f}
	}
	return Value{X: Unknown{Because(TooLong, "a number that is too large to follow")}}
}

// fromYAML parses a YAML text as PyYAML does, or as OmegaConf does, which takes 1e-3
// for a number.
func (in *Interp) fromYAML(text string, omega bool) Value {
	d := yaml.NewDecoder(strings.NewReader(text))
	var document, more yaml.Node
	switch err := d.Decode(&document); {
	case errors.Is(err, io.EOF):
		return noneValue
	case err != nil, !errors.Is(d.Decode(&more), io.EOF):
		return in.Unknown(FileContents, "a text that is not one document of YAML")
	}
	return in.yamlValue(document.Content[0], omega, maxNested)
}

func (in *Interp) yamlValue(n *yaml.Node, omega bool, depth int) Value {
	if depth == 0 || !in.Spend(1) {
		return in.Unknown(TooLong, "settings that are too deep to follow")
	}
	if n.Kind != yaml.AliasNode && n.Style&yaml.TaggedStyle != 0 {
		return in.Unknown(FileContents, "what the tag %s of YAML makes", n.Tag)
	}
	switch n.Kind {
	case yaml.AliasNode:
		return in.yamlValue(n.Alias, omega, depth-1)
	case yaml.SequenceNode:
		l := &List{}
		for _, item := range n.Content {
			l.Items = append(l.Items, in.yamlValue(item, omega, depth-1))
		}
		return Value{X: l}
	case yaml.MappingNode:
		return Value{X: in.yamlMapping(n, omega, depth)}
	}
	if n.Style != 0 {
		return Value{X: n.Value} // quoted, or a block of text
	}
	return in.yamlScalar(n.Value, omega)
}

// yamlMapping returns a mapping with the mappings that are merged into it; its own keys
// take precedence.
func (in *Interp) yamlMapping(n *yaml.Node, omega bool, depth int) *Dict {
	out := &Dict{}
	for own := range 2 {
		for i := 0; i+1 < len(n.Content); i += 2 {
			key, item := n.Content[i], n.Content[i+1]
			if merges := key.Value == "<<" && key.Style == 0; merges == (own == 1) {
				continue
			} else if !merges {
				name := in.yamlValue(key, omega, depth-1)
				if !in.hashable(name) {
					in.openDict(out, Because(Settings, "a key of settings is not known"))
					continue
				}
				out.put(name, in.yamlValue(item, omega, depth-1))
				continue
			}
			merged := []*yaml.Node{item}
			if item.Kind == yaml.SequenceNode {
				merged = slices.Clone(item.Content)
				slices.Reverse(merged) // the first takes precedence
			}
			for _, m := range merged {
				in.update(out, in.yamlValue(m, omega, depth-1))
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

func (in *Interp) yamlScalar(text string, omega bool) Value {
	floats := yamlFloat
	if omega {
		floats = omegaFloat
	}
	switch {
	case yamlNothing.MatchString(text):
		return noneValue
	case yamlTruth.MatchString(text):
		return Value{X: slices.Contains([]string{"yes", "true", "on"}, strings.ToLower(text))}
	case yamlWhole.MatchString(text), floats.MatchString(text):
		return numeral(strings.TrimPrefix(strings.ReplaceAll(text, "_", ""), "+"))
	case yamlOther.MatchString(text):
		return in.Unknown(FileContents, "what YAML makes of %s", text)
	}
	return Value{X: text}
}

// eachSetting replaces every scalar in nested mappings and lists.
func eachSetting(v Value, of func(Value) Value) Value {
	switch x := v.X.(type) {
	case *List:
		for i := range x.Items {
			x.Items[i] = eachSetting(x.Items[i], of)
		}
		return v
	case *Dict:
		for i := range x.Values {
			x.Values[i] = eachSetting(x.Values[i], of)
		}
		return v
	}
	return of(v)
}

// overridable marks values as overridable.
func overridable(v Value) Value {
	return eachSetting(v, func(v Value) Value {
		v.Overridable = v.Overridable || v.Known()
		return v
	})
}

// loaded returns the result of a function that parses a file or a text.
func (in *Interp) loaded(from Value, of func(text string) Value) Value {
	switch x := from.X.(type) {
	case *file:
		text := in.rest(x)
		s, ok := text.X.(string)
		if !ok {
			return text
		}
		return overridable(of(s))
	case string:
		return of(x)
	}
	return in.Unknown(FileContents, "what is read of %s", in.describe(from))
}

func addSettings(lenient adder) {
	lenient(func(in *Interp, args *Args) Value {
		if args.Keywords.Len() > 0 || len(args.Positional) != 1 { // hooks
			return in.Unknown(FileContents, "what is made of JSON")
		}
		return in.loaded(args.Positional[0], func(text string) Value { return in.fromJSON(text) })
	}, "json.load", "json.loads")
	lenient(func(in *Interp, args *Args) Value {
		from, ok := args.Get(0, "stream")
		if loader, given := args.Get(1, "Loader"); !ok || given && !isYAMLLoader(loader) {
			return in.Unknown(FileContents, "what is made of YAML")
		}
		return in.loaded(from, func(text string) Value { return in.fromYAML(text, false) })
	}, "yaml.safe_load", "yaml.load", "yaml.full_load", "yaml.unsafe_load")
	lenient(func(in *Interp, args *Args) Value {
		from, _ := args.Get(0, "file_")
		if _, ok := in.pathText(from); ok {
			from = openFile(in, &Args{Positional: []Value{from}})
		}
		return in.omega(in.loaded(from, func(text string) Value { return in.fromYAML(text, true) }))
	}, "omegaconf.OmegaConf.load")
	lenient(func(in *Interp, args *Args) Value {
		if text, ok := positional(args, 0).X.(string); ok {
			return in.omega(in.fromYAML(text, true))
		}
		return in.omega(in.structured(positional(args, 0)))
	}, "omegaconf.OmegaConf.create", "omegaconf.OmegaConf.structured")
	lenient(func(in *Interp, args *Args) Value {
		out := Value{X: &Dict{}}
		for _, v := range args.Positional {
			if out = in.overlaid(out, linked(in.structured(v)), maxNested); !out.Known() {
				return out
			}
		}
		return in.withAttributes(out, maxNested)
	}, "omegaconf.OmegaConf.merge")
	lenient(func(in *Interp, args *Args) Value {
		resolve, _ := args.Get(1, "resolve")
		return in.contained(positional(args, 0), resolve.X == true)
	}, "omegaconf.OmegaConf.to_container")
	lenient(func(in *Interp, args *Args) Value { return in.contained(positional(args, 0), true) }, "omegaconf.OmegaConf.to_object")
	lenient(func(in *Interp, args *Args) Value {
		in.forgetSettings(positional(args, 0), Because(UnmodelledPython, "what OmegaConf.update changes"), maxNested)
		return noneValue
	}, "omegaconf.OmegaConf.update", "omegaconf.OmegaConf.resolve")
}

// isYAMLLoader reports whether a loader accepts plain YAML only.
func isYAMLLoader(v Value) bool {
	x, ok := v.X.(External)
	return ok && strings.HasPrefix(x.Name, "yaml.") && strings.HasSuffix(x.Name, "Loader")
}

// contained returns settings as plain dicts and lists. Interpolations stay as written
// unless resolved is set.
func (in *Interp) contained(settings Value, resolved bool) Value {
	d, _ := settings.X.(*Dict)
	return in.plainly(settings, func(v Value) Value {
		x, ok := v.X.(setting)
		if ok && resolved && d != nil {
			return in.settled(d, v)
		} else if ok {
			v.X = x.text
		}
		return v
	}, maxNested)
}

// structured returns the mapping that OmegaConf makes from an object, or a class, with
// fields.
func (in *Interp) structured(v Value) Value {
	if c, ok := v.X.(*Class); ok && c.fields != nil {
		v = in.Call(v, &Args{})
	}
	return in.plainly(in.fieldsOf(v, maxNested), func(v Value) Value { return v }, maxNested)
}

// plainly returns a copy of nested mappings and lists, without keys as attributes; of
// converts each scalar.
func (in *Interp) plainly(v Value, of func(Value) Value, depth int) Value {
	if depth == 0 || !in.Spend(1) {
		return in.Unknown(TooLong, "settings that are too deep to follow")
	}
	v = of(v)
	switch x := v.X.(type) {
	case *Dict:
		d := in.copyDict(x)
		d.dotted, d.root = false, nil
		for i := range d.Values {
			d.Values[i] = in.plainly(d.Values[i], of, depth-1)
		}
		return Value{X: d}
	case *List:
		l := &List{Items: slices.Clone(x.Items), Open: x.Open}
		for i := range l.Items {
			l.Items[i] = in.plainly(l.Items[i], of, depth-1)
		}
		return Value{X: l}
	}
	return v
}

// overlaid merges settings over others, mapping by mapping.
func (in *Interp) overlaid(below, above Value, depth int) Value {
	b, ok := below.X.(*Dict)
	a, also := above.X.(*Dict)
	switch {
	case !below.Known():
		return below
	case !above.Known(), depth == 0, !in.Spend(1):
		return in.Unknown(Settings, "settings that are not known: %s", in.describe(above))
	case !ok || !also:
		return above
	}
	out := in.copyDict(b)
	if a.Open != nil {
		in.openDict(out, a.Open)
	}
	for i, key := range a.Keys {
		v := a.Values[i]
		if old, ok := out.get(key); ok && old.Known() && v.Known() {
			v = in.overlaid(old, v, depth-1)
		}
		out.put(key, v)
	}
	return Value{X: out}
}

// A setting is an interpolation such as "${model.units}", which is resolved whenever it
// is read.
type setting struct {
	opaque
	text string
}

// omega returns settings as OmegaConf has them: keys are attributes, and
// "${model.units}" refers to another value.
func (in *Interp) omega(v Value) Value { return in.withAttributes(linked(v), maxNested) }

// linked resolves interpolations in settings. It changes its argument.
func linked(v Value) Value {
	return eachSetting(v, func(v Value) Value {
		switch text, _ := v.X.(string); {
		case text == "???":
			v.X = Unknown{Because(CommandLine, "a setting that whoever runs the program must give")}
		case strings.Contains(text, "${"):
			v.X = setting{opaque{"a setting that is read through others"}, text}
		}
		return v
	})
}

var interpolation = regexp.MustCompile(`^\$\{([^{}]*)\}$`)

// settled returns the value that a dict of settings yields for one of its entries.
func (in *Interp) settled(d *Dict, v Value) Value { return in.settledWithin(d.root, v, 16) }

func (in *Interp) settledWithin(root *Dict, v Value, depth int) Value {
	switch x := v.X.(type) {
	case *List:
		if root == nil || !slices.ContainsFunc(x.Items, func(v Value) bool { _, ok := v.X.(setting); return ok }) {
			return v
		}
		l := &List{Items: slices.Clone(x.Items), Open: x.Open}
		for i := range l.Items {
			l.Items[i] = in.settledWithin(root, l.Items[i], depth-1)
		}
		return Value{X: l}
	case setting:
		m := interpolation.FindStringSubmatch(x.text)
		if m == nil || root == nil || depth == 0 || !in.Spend(1) {
			return in.Unknown(Settings, "the setting %s", x.text)
		}
		found := Value{X: root}
		for name := range strings.SplitSeq(m[1], ".") {
			d, ok := found.X.(*Dict)
			if ok {
				found, ok = d.Get(name)
			}
			if !ok {
				return in.Unknown(Settings, "the setting %s", x.text)
			}
			found = in.settledWithin(root, found, depth-1)
		}
		return found
	}
	return v
}

// forgetSettings makes settings unknown after an unmodelled function may have changed
// them.
func (in *Interp) forgetSettings(v Value, why *Cause, depth int) {
	d, ok := v.X.(*Dict)
	if !ok || depth == 0 || !in.Spend(len(d.Keys)) {
		return
	}
	for _, v := range d.Values {
		in.forgetSettings(v, why, depth-1)
	}
	in.openDict(d, why)
}
