package python

import (
	"path"
	"strings"

	"github.com/tfmem/tfmem/analyzer/interp"
	"github.com/tfmem/tfmem/analyzer/tally"
	"github.com/tfmem/tfmem/analyzer/value"
)

// A file is an open file of the project whose text is known, or only counted.
type file struct {
	value.Opaque
	path   string
	text   string
	count  *tally.Text // of a text that is not known; else nil
	lines  *value.List // the lines that are left: an iterator
	binary bool        // it yields bytes, not texts
}

func (f *file) Iter(in *value.Interp) ([]value.Value, bool) {
	items, ok := interp.Items(in, value.Value{X: f.lines})
	return items, ok && !f.binary
}

// Counted returns how many lines are left, if only that is known.
func (f *file) Counted() (n int64, ok bool) { return f.lines.Counted() }

func (f *file) WhyNotIter() *value.Cause { return f.lines.Open }

func (f *file) GetAttr(in *value.Interp, name string) (value.Value, bool) {
	method := func(m value.Method) (value.Value, bool) { return value.Value{X: m}, true }
	if f.binary && f.count == nil && (strings.HasPrefix(name, "read") || name == "__next__") {
		return method(func(in *value.Interp, _ *value.Args) value.Value {
			return in.Unknown(value.FileContents, "the bytes of a file")
		})
	}
	switch name {
	case "__enter__":
		return method(func(*value.Interp, *value.Args) value.Value { return value.Value{X: f} })
	case "close", "__exit__":
		return method(func(*value.Interp, *value.Args) value.Value { return value.NoneValue })
	case "__iter__":
		return method(func(*value.Interp, *value.Args) value.Value { return value.Value{X: f.lines} })
	case "seek":
		return method(func(in *value.Interp, args *value.Args) value.Value {
			if value.Positional(args, 0).X != int64(0) || len(args.Positional) != 1 {
				lose(in, f)
				return in.Unknown(value.FileContents, "a place in a file")
			}
			in.Record(f.lines)
			*f.lines = *f.all(in)
			return value.Value{X: int64(0)}
		})
	case "read":
		return method(func(in *value.Interp, args *value.Args) value.Value {
			if len(args.Positional) > 0 {
				lose(in, f)
			}
			return rest(in, f)
		})
	case "readlines":
		return method(func(in *value.Interp, args *value.Args) value.Value {
			if len(args.Positional) > 0 {
				lose(in, f)
			}
			return value.Value{X: collected(in, value.Value{X: f.lines})}
		})
	case "readline", "__next__":
		return method(func(in *value.Interp, args *value.Args) value.Value {
			if name == "readline" && len(args.Positional) > 0 {
				lose(in, f)
			} else if len(f.lines.Items) == 0 && name == "readline" {
				return value.Value{X: ""}
			}
			return interp.Next(in, &value.Args{Positional: []value.Value{{X: f.lines}}, Node: args.Node})
		})
	}
	lose(in, f)
	return in.Unknown(value.FileContents, "%s of a file", name), true
}

// lose forgets what was read from a file.
func lose(in *value.Interp, f *file) {
	in.Record(f.lines)
	*f.lines = value.UnknownList(value.Because(value.FileContents, "what of a file is read"), true)
}

func (f *file) Escape(in *value.Interp) { lose(in, f) }

func (p pathTo) Fspath() string { return p.path }

// all returns an iterator over all lines of a file.
func (f *file) all(in *value.Interp) *value.List {
	if f.count == nil {
		return linesOf(in, f.text)
	}
	l := value.UnknownList(value.Because(value.FileContents, "the text of %q, of which only the lines are counted", f.path), true)
	if l.Count = f.count.Lines; f.binary {
		l.Count = f.count.Newlines
	}
	return &l
}

// rest returns the text of a file that has not been read yet. A whole text says where it comes from.
func rest(in *value.Interp, f *file) value.Value {
	if n, ok := f.Counted(); ok && n == f.all(in).Count {
		in.Recount(f.lines)
		return value.Value{X: contents{value.Opaque{Base: "the text of a file"}, f, false}}
	}
	lines, ok := interp.Items(in, value.Value{X: f.lines})
	if !ok {
		return f.lines.Open.Unknown()
	}
	var b strings.Builder
	for _, line := range lines {
		text, ok := line.X.(string)
		if !ok {
			return in.Unknown(value.FileContents, "what of a file was read already")
		}
		b.WriteString(text)
	}
	v := value.Value{X: b.String()}
	if v.X == f.text {
		v.Scalar = &value.Scalar{Path: f.path}
	}
	return v
}

// openFile evaluates open(path). The content of a project file is known unless the
// program has written a file of that name.
func openFile(in *value.Interp, args *value.Args) value.Value {
	name, mode := value.Positional(args, 0), value.Value{X: "r"}
	if v, ok := args.Get(-1, "file"); ok {
		name = v
	}
	if v, ok := args.Get(1, "mode"); ok {
		mode = v
	}
	named, ok := value.PathText(name)
	how, given := mode.X.(string)
	if ok && (!given || strings.ContainsAny(how, "wax+")) {
		in.Writes(path.Base(named))
	}
	if ok && strings.Trim(how, "rbtU") == "" {
		f := &file{Opaque: value.Opaque{Base: "a file"}, path: named, binary: strings.Contains(how, "b")}
		if f.text, ok = in.Text(named); !ok {
			var count tally.Text
			count, ok = in.Lines(named)
			f.count = &count
		}
		if ok {
			f.lines = f.all(in)
			return value.Value{X: f}
		}
	}
	return in.Unknown(value.FileContents, "what is in %s", interp.Describe(in, name))
}

// linesOf returns an iterator over the lines of a text, each with its line ending.
func linesOf(in *value.Interp, text string) *value.List {
	lines := &value.List{Consumed: true}
	for line := range strings.Lines(text) {
		lines.Items = append(lines.Items, value.Value{X: line})
	}
	in.Spend(len(lines.Items))
	return lines
}

// contents is the whole text of a file, of which only the lines are counted.
type contents struct {
	value.Opaque
	of *file
	// stripped is set if blanks at both ends are left out.
	stripped bool
}

func (contents) InstanceOf(class string) (truth, known bool) { return false, false }

// Len is how many characters or bytes there are.
func (c contents) Len(in *value.Interp) value.Value {
	switch {
	case c.stripped:
		return c.of.all(in).Open.Unknown()
	case c.of.binary:
		return value.Value{X: c.of.count.Bytes}
	}
	return value.Value{X: c.of.count.Characters}
}

// Counted is Len.
func (c contents) Counted() (n int64, ok bool) {
	if c.of.binary {
		return c.of.count.Bytes, !c.stripped
	}
	return c.of.count.Characters, !c.stripped
}

func (c contents) GetAttr(in *value.Interp, name string) (value.Value, bool) {
	if strings.HasPrefix(name, "__") {
		return c.Opaque.GetAttr(in, name)
	}
	why := c.of.all(in).Open
	return value.Value{X: value.Method(func(in *value.Interp, args *value.Args) value.Value {
		separator, split := args.Get(0, "sep")
		_, limited := args.Get(1, "maxsplit")
		whole := len(args.Positional)+args.Keywords.Len() == 0
		n, count := int64(0), c.of.count
		switch {
		case c.of.binary || c.stripped && (count.Returns || count.Last == 0):
		case name == "strip" && whole:
			c.stripped = true
			return value.Value{X: c}
		case c.stripped && (name == "splitlines" && whole || name == "split" && split && separator.X == "\n" && !limited):
			n = count.Last - count.First + 1
		case name == "splitlines" && whole:
			n = count.Lines
		case name == "split" && split && separator.X == "\n" && !limited:
			if n = count.Lines; count.Ended {
				n++ // what follows the last line is an empty text
			}
		}
		if n == 0 {
			return why.Unknown()
		}
		l := value.UnknownList(why, false)
		l.Count = n
		return value.Value{X: &l}
	})}, true
}

// pathTo is a pathlib path.
type pathTo struct {
	value.Opaque
	path string
}

// aPath joins parts into a path, as pathlib.PurePath does.
func aPath(in *value.Interp, parts ...value.Value) value.Value {
	named := ""
	for _, part := range parts {
		s, ok := value.PathText(part)
		switch {
		case !ok:
			return in.Unknown(value.Environment, "a path of %s", interp.Describe(in, part))
		case strings.HasPrefix(s, "/"):
			named = s
		default:
			named = path.Join(named, s)
		}
	}
	if len(named) > value.MaxPath {
		return in.Unknown(value.TooLong, "a path that is too long to follow")
	}
	return value.Value{X: pathTo{value.Opaque{Base: "a path"}, path.Clean(named)}}
}

func (p pathTo) Binary(in *value.Interp, op string, other value.Value, reflected bool) value.Value {
	at, isPath := other.X.(pathTo)
	switch {
	case isPath && op == "==":
		return value.Value{X: p == at}
	case isPath && op == "!=":
		return value.Value{X: p != at}
	case op != "/":
		return in.Unknown(value.Environment, "%s of a path", op)
	case reflected:
		return aPath(in, other, value.Value{X: p})
	}
	return aPath(in, value.Value{X: p}, other)
}

func (p pathTo) InstanceOf(class string) (truth, known bool) {
	return strings.HasPrefix(class, "pathlib."), true
}

func (p pathTo) GetAttr(in *value.Interp, name string) (value.Value, bool) {
	self := value.Value{X: p}
	method := func(m value.Method) (value.Value, bool) { return value.Value{X: m}, true }
	base := path.Base(p.path)
	extension := path.Ext(strings.TrimLeft(base, "."))
	switch name {
	case "name":
		return value.Value{X: base}, true
	case "suffix":
		return value.Value{X: extension}, true
	case "stem":
		return value.Value{X: strings.TrimSuffix(base, extension)}, true
	case "parent":
		return aPath(in, value.Value{X: path.Dir(p.path)}), true
	case "parents":
		l := &value.List{}
		for at := p.path; at != path.Dir(at); {
			if !in.Spend(len(at) / 8) {
				return in.Unknown(value.TooLong, "a path that is too long to follow"), true
			}
			at = path.Dir(at)
			l.Items = append(l.Items, aPath(in, value.Value{X: at}))
		}
		return value.Value{X: l}, true
	case "resolve", "absolute":
		if strings.HasPrefix(p.path, "/") {
			return method(func(*value.Interp, *value.Args) value.Value { return self })
		}
	case "expanduser":
		if !strings.HasPrefix(p.path, "~") {
			return method(func(*value.Interp, *value.Args) value.Value { return self })
		}
	case "glob", "rglob", "iterdir":
		return method(func(in *value.Interp, _ *value.Args) value.Value { return listing(in, name+" of a path") })
	case "as_posix", "__str__", "__fspath__":
		return method(func(*value.Interp, *value.Args) value.Value { return value.Value{X: p.path} })
	case "joinpath":
		return method(func(in *value.Interp, args *value.Args) value.Value {
			return aPath(in, append([]value.Value{self}, args.Positional...)...)
		})
	case "open":
		return method(func(in *value.Interp, args *value.Args) value.Value {
			all := *args
			all.Positional = append([]value.Value{self}, args.Positional...)
			return openFile(in, &all)
		})
	case "read_text":
		return method(func(in *value.Interp, _ *value.Args) value.Value {
			if f, ok := openFile(in, &value.Args{Positional: []value.Value{self}}).X.(*file); ok {
				return rest(in, f)
			}
			return in.Unknown(value.FileContents, "what is in %s", p.path)
		})
	case "write_text", "write_bytes", "rename", "replace", "unlink", "touch", "symlink_to", "hardlink_to":
		return method(func(in *value.Interp, args *value.Args) value.Value {
			in.Writes(base)
			in.NoteArgsEscape(name, args)
			return in.Unknown(value.Environment, "what %s of a path makes", name)
		})
	}
	return in.Unknown(value.Environment, "%s of a path", name), true
}

func addFiles(lenient value.Adder) {
	lenient(openFile, "open", "io.open", "codecs.open", "tensorflow.io.gfile.GFile")
	lenient(func(in *value.Interp, args *value.Args) value.Value {
		if args.Open != nil {
			return args.Open.Unknown()
		}
		return aPath(in, args.Positional...)
	}, "pathlib.Path", "pathlib.PurePath", "pathlib.PosixPath")
	lenient(func(in *value.Interp, args *value.Args) value.Value {
		if s, ok := value.PathText(value.Positional(args, 0)); ok && strings.HasPrefix(s, "/") {
			return value.Value{X: path.Clean(s)}
		}
		return in.Unknown(value.Environment, "where the program runs")
	}, "os.path.abspath", "os.path.realpath")
	lenient(func(in *value.Interp, args *value.Args) value.Value {
		if named, ok := value.PathText(value.Positional(args, 0)); ok {
			if t, ok := in.Lines(named); ok {
				return value.Value{X: t.Bytes}
			}
		}
		return in.Unknown(value.FileContents, "the size of %s", interp.Describe(in, value.Positional(args, 0)))
	}, "os.path.getsize")
	lenient(func(in *value.Interp, args *value.Args) value.Value {
		if s, ok := value.PathText(value.Positional(args, 0)); ok {
			return value.Value{X: s}
		}
		return in.Unknown(value.Environment, "the path of %s", interp.Describe(in, value.Positional(args, 0)))
	}, "os.fspath")
}
