package state

import (
	"strconv"
	"strings"

	"github.com/tfmem/tfmem/analyzer/effects"
	"github.com/tfmem/tfmem/analyzer/names"
	"github.com/tfmem/tfmem/analyzer/objects"
	"github.com/tfmem/tfmem/analyzer/syntax"
	"github.com/tfmem/tfmem/analyzer/value"
)

// A versionText is a version of Keras as a string with a known major version.
type versionText struct {
	value.Base
	major string
}

// Libraries says which Keras the modules of a program use.
type Libraries struct {
	of      func(*names.Info) names.Library
	majors  map[*names.Info]int
	sources map[string]*names.Info // the libraries that are known as programs, as far as they are used
}

func newLibraries(of func(*names.Info) names.Library) Libraries {
	if of == nil {
		of = (*names.Info).Library
	}
	return Libraries{of, map[*names.Info]int{}, map[string]*names.Info{}}
}

// keras returns the major version of the Keras that a module uses: 3 if that is not certain.
func (l *Libraries) keras(module *names.Info) int {
	major, ok := l.majors[module]
	if !ok {
		major = 3
		if of, ok := l.of(module).(interface{ Keras2() bool }); ok && of.Keras2() {
			major = 2
		}
		l.majors[module] = major
	}
	return major
}

// Source returns a library that is known as a program. It uses the Keras of the module that first uses
// it.
func (l *Libraries) Source(name string, user *names.Info, read func(names.Library) (*names.Info, error)) (*names.Info, error) {
	if info := l.sources[name]; info != nil {
		return info, nil
	}
	info, err := read(l.of(user))
	if err != nil {
		return nil, err
	}
	l.majors[info], l.sources[name] = l.keras(user), info
	return info, nil
}

// Keras returns the major version of the Keras that the running module uses: 3 if that is not
// certain.
func (h *Host) Keras() int { return h.Libraries.keras(h.Interp.Info()) }

// Optimizers returns the major version of Keras that a name of an optimizer stands for where Keras
// has a major version: 0 for those of before Keras 2.11, as [graph.Optimizer.Keras] has it.
func (h *Host) Optimizers(major int) int {
	if l, ok := h.Libraries.of(h.Interp.Info()).(interface{ OptimizerV2() bool }); ok && major == 2 && l.OptimizerV2() {
		return 0
	}
	return major
}

// MultiBackend reports whether the class that a call names is of the package keras before 2.4.
func (h *Host) MultiBackend(made syntax.Node) bool {
	l, ok := h.Libraries.of(h.Interp.Info()).(interface{ MultiBackend() bool })
	return ok && l.MultiBackend() && h.packageOf(made) != effects.TheKeras
}

func (h *Host) KerasVersion() value.Value {
	return value.Value{X: &versionText{"the version of Keras", strconv.Itoa(h.Keras())}}
}

func (v *versionText) GetAttr(_ *value.Interp, name string) (value.Value, bool) {
	switch name {
	case "startswith":
		return objects.Method(func(_ *value.Interp, args *value.Args) value.Value {
			prefix, _ := args.Get(0, "prefix")
			text, ok := prefix.X.(string)
			if major, _, _ := strings.Cut(text, "."); ok && (major != v.major || text == major || text == major+".") {
				return value.Value{X: major == v.major}
			}
			return v.Unknown("how goes on ")
		})
	case "split":
		return objects.Method(func(_ *value.Interp, args *value.Args) value.Value {
			if by, _ := args.Get(0, "sep"); by.X != "." {
				return v.Unknown("a part of ")
			}
			return value.Value{X: &value.List{Items: []value.Value{{X: v.major}, v.Unknown("a part of "), v.Unknown("a part of ")}}}
		})
	}
	return v.Unknown("a use of "), true
}

// Binary compares it with another text. The result is unknown if the text goes beyond the major
// version.
func (v *versionText) Binary(_ *value.Interp, op string, other value.Value, reflected bool) value.Value {
	text, ok := other.X.(string)
	major := v.major + "."
	if !ok || strings.HasPrefix(text, major) && text != major {
		return v.Unknown("a comparison of ")
	}
	order := 1 // a version is greater than its own prefix
	if text != major {
		order = strings.Compare(major, text)
	}
	if reflected {
		order = -order
	}
	switch op {
	case "<", "<=":
		return value.Value{X: order < 0}
	case ">", ">=":
		return value.Value{X: order > 0}
	case "==", "!=":
		return value.Value{X: op == "!="}
	}
	return v.Unknown("arithmetic with ")
}

// GetItem returns the first character; the others are not known.
func (v *versionText) GetItem(_ *value.Interp, index value.Value) value.Value {
	if index.X == int64(0) {
		return value.Value{X: v.major}
	}
	return v.Unknown("a part of ")
}
