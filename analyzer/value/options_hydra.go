package value

import (
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/tfmem/tfmem/analyzer/syntax"
)

// A hydra is where hydra.main finds a program's settings: YAML files below a folder,
// and the configurations that the program has stored by name.
type hydra struct{ folder string }

// hydraMain returns a function decorated by hydra.main: a call without arguments passes
// it the settings, which are read from the folder next to the module that defines it
// (hydra/main.py).
func hydraMain(in *Interp, _ string, args *Args, f Value) Value {
	if args.Node.Kind() != syntax.Call {
		return overridableDefaults(f)
	}
	module := filepath.ToSlash(in.frame.info.Path)
	return Value{X: Method(func(in *Interp, given *Args) Value {
		if len(given.Positional) > 0 || given.Open != nil {
			return in.Call(f, given)
		}
		below := first(args, 0, "config_path")
		name, ok := first(args, 1, "config_name").X.(string)
		folder, named := below.X.(string)
		if !ok || !named && below.Cause() != nil || strings.Contains(folder, "://") {
			return in.Call(f, &Args{Positional: []Value{in.Unknown(Settings, "the settings that Hydra is given")}, Node: given.Node})
		}
		if !path.IsAbs(folder) {
			folder = path.Join(path.Dir(module), folder)
		}
		settings, _ := hydra{folder}.composed(in, "", strings.TrimSuffix(name, ".yaml"), 8)
		return in.Call(f, &Args{Positional: []Value{in.omega(overridable(settings))}, Node: given.Node})
	})}
}

// composed merges a settings file with the files in its defaults list: each overrides
// those before it, in the place of its group. The file's own settings come last, or
// where "_self_" stands. everywhere is set if the settings belong at the top instead of
// in the group's place (hydra/_internal/defaults_list.py).
func (h hydra) composed(in *Interp, group, name string, depth int) (settings Value, everywhere bool) {
	own, everywhere := h.read(in, path.Join(group, name))
	d, ok := own.X.(*Dict)
	if !ok || depth == 0 || !in.Spend(len(d.Keys)) {
		return in.Unknown(Settings, "the settings %s of Hydra", path.Join(group, name)), false
	}
	rest := in.copyDict(d)
	list, _ := rest.Get("defaults")
	defaults, _ := list.X.(*List)
	rest.remove(Value{X: "defaults"})
	out, self := Value{X: &Dict{}}, false
	over := func(v Value) { out = in.overlaid(out, v, maxNested) }
	include := func(below, name string) {
		v, top := h.composed(in, path.Join(group, below), name, depth-1)
		if below != "" && !top {
			for _, part := range slices.Backward(strings.Split(below, "/")) {
				v = Value{X: &Dict{Keys: []Value{{X: part}}, Values: []Value{v}}}
			}
		}
		if top && group != "" {
			v = in.Unknown(Settings, "settings for the top, from a group within another")
		}
		over(v)
	}
	if defaults != nil {
		for _, item := range defaults.Items {
			switch x := item.X.(type) {
			case string:
				if x == "_self_" {
					self = true
					over(Value{X: rest})
				} else {
					include("", x)
				}
			case *Dict:
				for i, key := range x.Keys {
					below, _ := key.X.(string)
					chosen, isName := x.Values[i].X.(string)
					switch {
					case strings.HasPrefix(strings.TrimPrefix(below, "override "), "hydra/"), x.Values[i].X == (None{}):
						// settings of Hydra itself
					case !isName, strings.ContainsAny(below, " @:"), strings.HasPrefix(below, "/"), strings.Contains(chosen, "${"):
						over(in.Unknown(Settings, "the default %s of Hydra", in.describe(key)))
					default:
						include(below, strings.TrimSuffix(chosen, ".yaml"))
					}
				}
			}
		}
	}
	if !self {
		over(Value{X: rest})
	}
	return out, everywhere
}

// read returns the configuration that the program has stored under a name, or the
// content of the file of that name.
func (h hydra) read(in *Interp, name string) (settings Value, everywhere bool) {
	if v, ok := in.kept(keptSettings).Get(name); ok {
		return in.structured(v), false
	}
	text, ok := in.Text(path.Join(h.folder, name) + ".yaml")
	if !ok {
		return in.Unknown(Settings, "the settings %s", name), false
	}
	for line := range strings.Lines(text) {
		if place, ok := strings.CutPrefix(strings.TrimSpace(line), "# @package "); ok {
			if everywhere = place == "_global_"; !everywhere {
				return in.Unknown(Settings, "settings for %s", place), false
			}
		}
	}
	return in.fromYAML(text, true), everywhere
}

// keptSettings names the variables that hold what a program puts into Hydra's store.
const keptSettings = "hydra"

func addHydra(lenient adder) {
	const store = "hydra.core.config_store.ConfigStore" // in which the program registers settings
	lenient(func(*Interp, *Args) Value { return Value{X: External{store}} }, store, store+".instance")
	lenient(func(in *Interp, args *Args) Value {
		node := first(args, 1, "node")
		if placed, elsewhere := args.Get(3, "package"); elsewhere && placed.X != (None{}) {
			node = in.Unknown(Settings, "settings that are stored for another place")
		}
		if name, ok := first(args, 0, "name").X.(string); ok {
			group, _ := first(args, 2, "group").X.(string)
			in.kept(keptSettings).put(path.Join(group, strings.TrimSuffix(name, ".yaml")), node)
		}
		return noneValue
	}, store+".store")
}
