package python

import (
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/tfmem/tfmem/analyzer/interp"
	"github.com/tfmem/tfmem/analyzer/syntax"
	"github.com/tfmem/tfmem/analyzer/value"
)

// A hydra is where hydra.main finds a program's settings: YAML files below a folder,
// and the configurations that the program has stored by name.
type hydra struct {
	folder string
	chosen map[string]string // what the command line chooses of a group, until it is used
}

// hydraMain returns a function decorated by hydra.main: a call without arguments passes
// it the settings, which are read from the folder next to the module that defines it
// (hydra/main.py).
func hydraMain(in *value.Interp, _ string, args *value.Args, f value.Value) value.Value {
	if args.Node.Kind() != syntax.Call {
		return interp.OverridableDefaults(f)
	}
	module := filepath.ToSlash(in.Frame.Info.Path)
	return value.Value{X: value.Method(func(in *value.Interp, given *value.Args) value.Value {
		if len(given.Positional) > 0 || given.Open != nil {
			return interp.Call(in, f, given)
		}
		below := value.Passed(args, 0, "config_path")
		name, ok := value.Passed(args, 1, "config_name").X.(string)
		folder, named := below.X.(string)
		if !ok || !named && below.Cause() != nil || strings.Contains(folder, "://") {
			return interp.Call(in, f, &value.Args{Positional: []value.Value{in.Unknown(value.Settings, "the settings that Hydra is given")}, Node: given.Node})
		}
		if !path.IsAbs(folder) {
			folder = path.Join(path.Dir(module), folder)
		}
		overrides := agreed(in)
		h := hydra{folder, map[string]string{}}
		for _, o := range overrides {
			switch o.key {
			case configName:
				name = o.text
			default:
				h.chosen[o.key] = o.text
			}
		}
		settings, _ := h.composed(in, "", strings.TrimSuffix(name, ".yaml"), 8)
		for _, o := range overrides {
			if text, left := h.chosen[o.key]; left {
				settings = overlaid(in, settings, h.override(in, o.key, text), interp.MaxNested)
			}
		}
		return interp.Call(in, f, &value.Args{Positional: []value.Value{omega(in, overridable(settings))}, Node: given.Node})
	})}
}

// override returns what the command line adds to the settings: a file of a group that the defaults do not
// name, or a value at a place.
func (h hydra) override(in *value.Interp, key, text string) value.Value {
	v, separator := value.Value{}, "."
	if _, is := in.Text(path.Join(h.folder, key, text) + ".yaml"); is {
		top := false
		if v, top = h.composed(in, key, text, 8); top {
			return v
		}
		separator = "/"
	} else {
		v = fromYAML(in, text, true)
	}
	for _, part := range slices.Backward(strings.Split(key, separator)) {
		v = value.Value{X: &value.Dict{Keys: []value.Value{{X: part}}, Values: []value.Value{v}}}
	}
	return v
}

// An overriding is a word of Hydra's command line: a key and its new value.
type overriding struct{ key, text string }

// configName is the key that stands for the option --config-name.
const configName = "--config-name"

var overrides = regexp.MustCompile(`^\+{0,2}([A-Za-z_][\w./-]*)=(.*)$`)

// overridden reads a command line of Hydra; ok is false if it is that of several runs, or if it has what is
// not understood (hydra/_internal/hydra.py, hydra/core/override_parser).
func overridden(words []string) (found []overriding, ok bool) {
	for i := 0; i < len(words); i++ {
		word := words[i]
		name, text, set := strings.Cut(word, "=")
		if name == "-cn" || name == configName {
			if i++; !set && i == len(words) {
				return nil, false
			} else if set {
				i--
			} else {
				text = words[i]
			}
			found = append(found, overriding{configName, text})
			continue
		}
		m := overrides.FindStringSubmatch(word)
		switch {
		case word == value.Hidden:
		case m == nil, strings.ContainsRune(m[2], ',') && !strings.ContainsAny(m[2], "[{('\""):
			return nil, false
		case m[1] != "hydra" && !strings.HasPrefix(m[1], "hydra.") && !strings.HasPrefix(m[1], "hydra/"):
			found = append(found, overriding{m[1], m[2]})
		}
	}
	return found, true
}

// agreed returns what all commands with which the project runs the program override alike.
func agreed(in *value.Interp) (all []overriding) {
	var lines [][]overriding
	var places []string
	for _, c := range in.Commands.All() {
		if line, ok := overridden(c.Words); ok && in.Spend(1+len(c.Words)) {
			lines, places = append(lines, line), append(places, c.Place)
		}
	}
	asked := map[string]bool{}
	for _, line := range lines {
		for _, o := range line {
			if asked[o.key] {
				continue
			}
			asked[o.key] = true
			use := value.CommandUse{Option: o.key + "=" + o.text}
			for i, other := range lines {
				at := slices.IndexFunc(other, func(x overriding) bool { return x.key == o.key })
				if at >= 0 {
					use.Places = append(use.Places, places[i])
				}
				use.Differs = use.Differs || at < 0 || other[at] != o
			}
			switch {
			case use.Differs:
				use.Option = o.key
			case strings.Contains(o.text, value.Hidden):
				continue
			default:
				all = append(all, o)
			}
			in.Commands.Use(use)
		}
	}
	return all
}

// composed merges a settings file with the files in its defaults list: each overrides
// those before it, in the place of its group. The file's own settings come last, or
// where "_self_" stands. everywhere is set if the settings belong at the top instead of
// in the group's place (hydra/_internal/defaults_list.py).
func (h hydra) composed(in *value.Interp, group, name string, depth int) (settings value.Value, everywhere bool) {
	own, everywhere := h.read(in, path.Join(group, name))
	d, ok := own.X.(*value.Dict)
	if !ok || depth == 0 || !in.Spend(len(d.Keys)) {
		return in.Unknown(value.Settings, "the settings %s of Hydra", path.Join(group, name)), false
	}
	rest := in.CopyDict(d)
	list, _ := rest.Get("defaults")
	defaults, _ := list.X.(*value.List)
	rest.Remove(value.Value{X: "defaults"})
	out, self := value.Value{X: &value.Dict{}}, false
	over := func(v value.Value) { out = overlaid(in, out, v, interp.MaxNested) }
	include := func(below, name string) {
		v, top := h.composed(in, path.Join(group, below), name, depth-1)
		if below != "" && !top {
			for _, part := range slices.Backward(strings.Split(below, "/")) {
				v = value.Value{X: &value.Dict{Keys: []value.Value{{X: part}}, Values: []value.Value{v}}}
			}
		}
		if top && group != "" {
			v = in.Unknown(value.Settings, "settings for the top, from a group within another")
		}
		over(v)
	}
	if defaults != nil {
		for _, item := range defaults.Items {
			switch x := item.X.(type) {
			case string:
				if x == "_self_" {
					self = true
					over(value.Value{X: rest})
				} else {
					include("", x)
				}
			case *value.Dict:
				for i, key := range x.Keys {
					below, _ := key.X.(string)
					chosen, isName := x.Values[i].X.(string)
					switch {
					case strings.HasPrefix(strings.TrimPrefix(below, "override "), "hydra/"), x.Values[i].X == (value.None{}):
						// settings of Hydra itself
					case !isName, strings.ContainsAny(below, " @:"), strings.HasPrefix(below, "/"), strings.Contains(chosen, "${"):
						over(in.Unknown(value.Settings, "the default %s of Hydra", interp.Describe(in, key)))
					default:
						if other, ok := h.chosen[path.Join(group, below)]; ok {
							delete(h.chosen, path.Join(group, below))
							chosen = other
						}
						include(below, strings.TrimSuffix(chosen, ".yaml"))
					}
				}
			}
		}
	}
	if !self {
		over(value.Value{X: rest})
	}
	return out, everywhere
}

// read returns the configuration that the program has stored under a name, or the
// content of the file of that name.
func (h hydra) read(in *value.Interp, name string) (settings value.Value, everywhere bool) {
	if v, ok := in.Kept(keptSettings).Get(name); ok {
		return structured(in, v), false
	}
	at := path.Join(h.folder, name) + ".yaml"
	text, ok := in.Text(at)
	if !ok {
		return in.Unknown(value.Settings, "the settings %s", name), false
	}
	for line := range strings.Lines(text) {
		if place, ok := strings.CutPrefix(strings.TrimSpace(line), "# @package "); ok {
			if everywhere = place == "_global_"; !everywhere {
				return in.Unknown(value.Settings, "settings for %s", place), false
			}
		}
	}
	return read(fromYAML(in, text, true), at), everywhere
}

// keptSettings names the variables that hold what a program puts into Hydra's store.
const keptSettings = "hydra"

func addHydra(lenient value.Adder) {
	const store = "hydra.core.config_store.ConfigStore" // in which the program registers settings
	lenient(func(*value.Interp, *value.Args) value.Value { return value.Value{X: value.External{Name: store}} }, store, store+".instance")
	lenient(func(in *value.Interp, args *value.Args) value.Value {
		node := value.Passed(args, 1, "node")
		if placed, elsewhere := args.Get(3, "package"); elsewhere && placed.X != (value.None{}) {
			node = in.Unknown(value.Settings, "settings that are stored for another place")
		}
		if name, ok := value.Passed(args, 0, "name").X.(string); ok {
			group, _ := value.Passed(args, 2, "group").X.(string)
			in.Kept(keptSettings).Put(path.Join(group, strings.TrimSuffix(name, ".yaml")), node)
		}
		return value.NoneValue
	}, store+".store")
}
