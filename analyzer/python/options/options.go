package options

import (
	"cmp"
	"strings"

	"github.com/tfmem/tfmem/analyzer/interp"
	"github.com/tfmem/tfmem/analyzer/library"
	"github.com/tfmem/tfmem/analyzer/value"
)

// Part is what is known of the libraries that read options.
func Part() value.Part {
	rows := library.Table[value.Native]{}
	for _, some := range []func(value.Adder){addArgparse, addAbsl, addClick} {
		some(value.Adding(rows, true))
	}
	return value.Part{
		Functions: rows, Families: flagDefinition, Constants: clickConstants,
		Decorators: library.Table[value.Decorator]{"click.*": clicked}, Spaces: flags(), Keeps: []string{keptFlags},
	}
}

// An option is a value that may come from the command line.
type option struct {
	name     string      // the attribute, parameter or flag that it sets
	what     string      // its name in reasons, if it is not called an argument
	flags    []string    // --batch-size, -b
	off      []string    // those of its flags that switch it off: --no-shout of --shout/--no-shout
	byPlace  bool        // positional, without a flag
	standard value.Value // the default as declared, if any
	absent   value.Value // its value without a default; empty if it is required
	kind     value.Value // the function that converts a text, such as int, if any
	textOnly bool        // kind converts the default only if that is a text
	many     value.Value // the class of the container, if there may be several values
	takes    count       // how many texts follow its flag, or stand for it
	constant value.Value // its value where its flag takes none; empty for one that counts its flags
	counts   bool        // its value is how often its flag is given
	repeats  bool        // its value has what each of its flags gives
}

// A count is how many texts an option takes.
type count struct{ least, most int }

// anyNumber is the most texts of an option that takes all that follow it.
const anyNumber = 1 << 30

var (
	one  = count{1, 1}
	none = count{}
)

// declaredOption reads what the declarations of argparse and click have in common.
func declaredOption(args *value.Args) (o option) {
	o.kind, o.standard = args.Keywords.Value("type"), args.Keywords.Value("default")
	for _, v := range args.Positional {
		s, _ := v.X.(string)
		if !strings.HasPrefix(s, "-") {
			o.name = s
			continue
		}
		on, off, two := strings.Cut(strings.ReplaceAll(s, " ", ""), "/")
		if o.flags = append(o.flags, on); two {
			o.flags, o.off = append(o.flags, off), append(o.off, off)
		}
	}
	o.byPlace, o.takes = len(o.flags) == 0, one
	return o
}

// flagsName returns the name of the first long flag, or else of the first flag.
func (o *option) flagsName() (name string) {
	for _, f := range o.flags {
		if name == "" || strings.HasPrefix(f, "--") && !strings.HasPrefix(name, "--") {
			name = f
		}
	}
	return strings.ReplaceAll(strings.TrimLeft(name, "-"), "-", "_")
}

// value returns the value of an option that is not on the command line: its default, which the
// user can override.
func (o *option) value(in *value.Interp) value.Value {
	v := o.standard
	if _, makes := v.X.(*value.Func); makes && !o.textOnly { // a default factory
		v = interp.Call(in, v, &value.Args{})
	}
	if v = o.converted(in, v); v.X == nil {
		v = o.absent
	}
	if v.X == nil {
		what := cmp.Or(o.what, "the argument "+o.name+" of the command line")
		if !o.byPlace {
			what += ", which must be given"
		}
		return in.Unknown(value.CommandLine, "%s", what)
	}
	v.Overridable = v.Overridable || v.Known()
	return v
}

// converted returns a value converted to the type of an option.
func (o *option) converted(in *value.Interp, v value.Value) value.Value {
	_, isText := v.X.(string)
	call := func(f, v value.Value) value.Value {
		return interp.Call(in, f, &value.Args{Positional: []value.Value{v}})
	}
	switch {
	case !v.Known(), v.X == value.None{}:
	case o.many.X != nil:
		l, one := &value.List{}, option{kind: o.kind, textOnly: o.textOnly}
		items := []value.Value{v}
		if given, known := interp.Iterate(in, v); known && !isText {
			items = given
		}
		for _, item := range items {
			if !in.Spend(1) {
				return value.OutOfSteps.Unknown()
			}
			l.Items = append(l.Items, one.converted(in, item))
		}
		return call(o.many, value.Value{X: l})
	case o.kind.X != nil && (isText || !o.textOnly):
		return call(o.kind, v)
	}
	return v
}

// truth converts a truth value written on a command line.
var truth = value.Method(func(in *value.Interp, args *value.Args) value.Value {
	v := value.Positional(args, 0)
	switch s, _ := v.X.(string); strings.ToLower(s) {
	case "true", "t", "1", "yes", "y", "on":
		v.X = true
	case "false", "f", "0", "no", "n", "off":
		v.X = false
	}
	if n, ok := v.Int(); ok {
		v.X = n != 0
	}
	return v
})
