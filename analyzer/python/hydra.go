package python

import (
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/tfmem/tfmem/analyzer/interp"
	"github.com/tfmem/tfmem/analyzer/syntax"
	"github.com/tfmem/tfmem/analyzer/value"
)

// A hydra is where hydra.main finds a program's settings: YAML files below a folder,
// and the configurations that the program has stored by name.
type hydra struct{ folder string }

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
		settings, _ := hydra{folder}.composed(in, "", strings.TrimSuffix(name, ".yaml"), 8)
		return interp.Call(in, f, &value.Args{Positional: []value.Value{omega(in, overridable(settings))}, Node: given.Node})
	})}
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
