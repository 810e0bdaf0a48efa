package python

import (
	"regexp"
	"strings"
	"unicode/utf8"

	"github.com/tfmem/tfmem/analyzer/interp"
	"github.com/tfmem/tfmem/analyzer/value"
)

// Environment variables that programs read from a file by python-dotenv.

// assignment matches a line of such a file (python-dotenv's parser.py): the name, and what follows.
var assignment = regexp.MustCompile(`^[ \t]*(?:export[ \t]+)?([A-Za-z_]\w*)[ \t]*=[ \t]*(.*?)\s*$`)

// quoted and plain match a value on one line, and the comment behind it. In double quotes, backslashes
// have a meaning.
var (
	quoted = regexp.MustCompile(`^(?:'([^'\\]*)'|"([^"\\]*)")\s*(?:#.*)?$`)
	plain  = regexp.MustCompile(`^(?:[^'"\s#]|$)`)
	remark = regexp.MustCompile(`\s+#.*$`)
)

// fromDotenv returns the variables of a text, in order, with the place of each value. One with a
// reference to another variable is not known. ok is false if a value may have several lines.
func fromDotenv(in *value.Interp, text string) (out *value.Dict, ok bool) {
	out = &value.Dict{}
	row := -1
	for line := range strings.Lines(text) {
		row++
		m := assignment.FindStringSubmatchIndex(line)
		if !in.Spend(1) {
			return nil, false
		}
		if m == nil {
			continue
		}
		start, written := m[4], line[m[4]:m[5]]
		if q := quoted.FindStringSubmatch(written); q != nil {
			start, written = start+1, q[1]+q[2]
		} else if !plain.MatchString(written) {
			return nil, false
		} else {
			written = remark.ReplaceAllString(written, "")
		}
		v := value.Value{X: written, Scalar: &value.Scalar{Line: row, Column: utf8.RuneCountInString(line[:start]), Text: written}}
		if strings.Contains(written, "$") {
			v = in.Unknown(value.Environment, "%s of other variables", written)
		}
		put(out, value.Value{X: line[m[2]:m[3]]}, v)
	}
	return out, true
}

func addDotenv(lenient value.Adder) {
	const usual = ".env" // in the program's folder or above (python-dotenv's main.py, find_dotenv)
	variables := func(in *value.Interp, args *value.Args) (*value.Dict, bool) {
		name := value.Value{X: usual}
		if v, ok := args.Get(0, "dotenv_path"); ok && v.X != (value.None{}) && v.X != "" {
			name = v
		}
		if v, ok := args.Get(1, "stream"); ok && v.X != (value.None{}) {
			return nil, false
		}
		at, _ := value.PathText(name)
		text, ok := in.Text(at)
		if !ok {
			return nil, false
		}
		d, ok := fromDotenv(in, text)
		if ok {
			read(value.Value{X: d}, at)
		}
		return d, ok
	}
	lenient(func(in *value.Interp, args *value.Args) value.Value {
		d, ok := variables(in, args)
		if !ok {
			return in.Unknown(value.FileContents, "whether there is a .env")
		}
		override, _ := args.Get(3, "override")
		for i, key := range d.Keys {
			if _, set := in.Kept(value.Environ).Get(key.X.(string)); !set || override.X == true {
				interp.SetItem(in, value.Value{X: value.External{Name: value.Environ}}, key, d.Values[i])
			}
		}
		return value.Value{X: len(d.Keys) > 0}
	}, "dotenv.load_dotenv", "dotenv.main.load_dotenv")
	lenient(func(in *value.Interp, args *value.Args) value.Value {
		d, ok := variables(in, args)
		if !ok {
			return in.Unknown(value.FileContents, "what is in a .env")
		}
		return value.Value{X: d}
	}, "dotenv.dotenv_values", "dotenv.main.dotenv_values")
	lenient(func(in *value.Interp, args *value.Args) value.Value {
		name := value.Value{X: usual}
		if v, ok := args.Get(0, "filename"); ok {
			name = v
		}
		if at, _ := value.PathText(name); at != "" {
			if _, ok := in.Text(at); ok {
				return name
			}
		}
		return in.Unknown(value.FileContents, "the path of a .env")
	}, "dotenv.find_dotenv", "dotenv.main.find_dotenv")
}
