package value

import (
	"path"
	"path/filepath"
	"strings"
	"unicode/utf8"

	"github.com/tfmem/tfmem/analyzer/names"
)

// A file is an open file of the project whose text is known.
type file struct {
	opaque
	text   string
	lines  *List // the lines that are left: an iterator
	binary bool  // it yields bytes, not texts
}

func (f *file) Iter(in *Interp) ([]Value, bool) {
	if f.binary {
		return nil, false
	}
	return in.iterate(Value{X: f.lines})
}

func (f *file) GetAttr(in *Interp, name string) (Value, bool) {
	method := func(m Method) (Value, bool) { return Value{X: m}, true }
	if f.binary && (strings.HasPrefix(name, "read") || name == "__next__") {
		return method(func(in *Interp, _ *Args) Value { return in.Unknown(FileContents, "the bytes of a file") })
	}
	switch name {
	case "__enter__":
		return method(func(*Interp, *Args) Value { return Value{X: f} })
	case "close", "__exit__":
		return method(func(*Interp, *Args) Value { return noneValue })
	case "__iter__":
		return method(func(*Interp, *Args) Value { return Value{X: f.lines} })
	case "seek":
		return method(func(in *Interp, args *Args) Value {
			if positional(args, 0).X != int64(0) || len(args.Positional) != 1 {
				in.lose(f)
				return in.Unknown(FileContents, "a place in a file")
			}
			in.touch(f.lines)
			*f.lines = *in.linesOf(f.text)
			return Value{X: int64(0)}
		})
	case "read":
		return method(func(in *Interp, args *Args) Value {
			if len(args.Positional) > 0 {
				in.lose(f)
			}
			return in.rest(f)
		})
	case "readlines":
		return method(func(in *Interp, args *Args) Value {
			if len(args.Positional) > 0 {
				in.lose(f)
			}
			lines, ok := f.Iter(in)
			if !ok {
				return f.lines.Open.Unknown()
			}
			return Value{X: &List{Items: lines}}
		})
	case "readline", "__next__":
		return method(func(in *Interp, args *Args) Value {
			if name == "readline" && len(args.Positional) > 0 {
				in.lose(f)
			} else if len(f.lines.Items) == 0 && name == "readline" {
				return Value{X: ""}
			}
			return nextItem(in, &Args{Positional: []Value{{X: f.lines}}, Node: args.Node})
		})
	}
	in.lose(f)
	return in.Unknown(FileContents, "%s of a file", name), true
}

// lose forgets what was read from a file.
func (in *Interp) lose(f *file) {
	in.touch(f.lines)
	*f.lines = unknownList(Because(FileContents, "what of a file is read"), true)
}

// An escaper is an object that forgets what it holds when an unmodelled function
// receives it.
type escaper interface{ escape(in *Interp) }

func (f *file) escape(in *Interp) { in.lose(f) }

// A pathLike is an object that stands for a path, as os.PathLike does.
type pathLike interface{ fspath() string }

func (p pathTo) fspath() string { return p.path }

// noteEscape records that an unmodelled function receives a value: it may write the file of
// that name, or read from an open file.
func (in *Interp) noteEscape(v Value) {
	if f, ok := v.X.(escaper); ok {
		f.escape(in)
		return
	}
	if named, ok := in.pathText(v); ok && len(named) < maxPath && path.Ext(named) != "" {
		in.writes(path.Base(named))
	}
}

// noteArgsEscape records that the arguments of a call escape to an unmodelled function.
func (in *Interp) noteArgsEscape(function string, args *Args) {
	switch library, rest, _ := strings.Cut(function, "."); {
	case function == "os.system", function == "os.chdir", library == "subprocess":
		in.writes("") // any file
	case library == "logging", strings.HasPrefix(rest, "path."), strings.HasSuffix(rest, "exists"), library == "json", library == "yaml":
	default:
		for _, v := range args.Positional {
			in.noteEscape(v)
		}
		for _, v := range args.Keywords.All() {
			in.noteEscape(v)
		}
	}
}

// writes records that the program writes files with that name, or any file if the name
// is empty.
func (in *Interp) writes(base string) {
	if in.written == nil {
		in.written = map[string]bool{}
	}
	in.written[base] = true
}

// maxPath limits the length of a path (PATH_MAX).
const maxPath = 4096

// rest returns the text of a file that has not been read yet.
func (in *Interp) rest(f *file) Value {
	lines, ok := in.iterate(Value{X: f.lines})
	if !ok {
		return f.lines.Open.Unknown()
	}
	var b strings.Builder
	for _, line := range lines {
		text, ok := line.X.(string)
		if !ok {
			return in.Unknown(FileContents, "what of a file was read already")
		}
		b.WriteString(text)
	}
	return Value{X: b.String()}
}

// openFile evaluates open(path). The content of a project file is known unless the
// program has written a file of that name.
func openFile(in *Interp, args *Args) Value {
	name, mode := positional(args, 0), Value{X: "r"}
	if v, ok := args.Get(-1, "file"); ok {
		name = v
	}
	if v, ok := args.Get(1, "mode"); ok {
		mode = v
	}
	named, ok := in.pathText(name)
	how, given := mode.X.(string)
	if ok && (!given || strings.ContainsAny(how, "wax+")) {
		in.writes(path.Base(named))
	}
	if ok && strings.Trim(how, "rbtU") == "" {
		if text, ok := in.Text(named); ok {
			return Value{X: &file{opaque: opaque{"a file"}, text: text, lines: in.linesOf(text), binary: strings.Contains(how, "b")}}
		}
	}
	return in.Unknown(FileContents, "what is in %s", in.describe(name))
}

// linesOf returns an iterator over the lines of a text, each with its line ending.
func (in *Interp) linesOf(text string) *List {
	lines := &List{consumed: true}
	for line := range strings.Lines(text) {
		lines.Items = append(lines.Items, Value{X: line})
	}
	in.Spend(len(lines.Items))
	return lines
}

// Text returns the text of a file of the project, as the program finds it under a path.
func (in *Interp) Text(named string) (text string, ok bool) {
	if in.main.info.Path == "" || len(named) > maxPath || in.written[""] || in.written[path.Base(named)] {
		return "", false
	}
	if text, ok = in.host.Text(in.main.info.Path, named); !in.Spend(len(text) / 64) {
		return "", false
	}
	if strings.HasPrefix(text, "\ufeff") || !utf8.ValidString(text) {
		return "", false // the encoding decides whether it is part of the text
	}
	return strings.ReplaceAll(text, "\r\n", "\n"), ok
}

// fileOf returns __file__ of a module.
func (in *Interp) fileOf(module *names.Info) Value {
	if module.Path == "" || module.Namespace {
		return in.Unknown(Environment, "the path of the file")
	}
	return Value{X: filepath.ToSlash(module.Path)}
}

// pathText returns a path as a text.
func (in *Interp) pathText(v Value) (string, bool) {
	if p, ok := v.X.(pathLike); ok {
		return p.fspath(), true
	}
	s, ok := plain(v).X.(string)
	return s, ok
}

// pathTo is a pathlib path.
type pathTo struct {
	opaque
	path string
}

// aPath joins parts into a path, as pathlib.PurePath does.
func (in *Interp) aPath(parts ...Value) Value {
	named := ""
	for _, part := range parts {
		s, ok := in.pathText(part)
		switch {
		case !ok:
			return in.Unknown(Environment, "a path of %s", in.describe(part))
		case strings.HasPrefix(s, "/"):
			named = s
		default:
			named = path.Join(named, s)
		}
	}
	if len(named) > maxPath {
		return in.Unknown(TooLong, "a path that is too long to follow")
	}
	return Value{X: pathTo{opaque{"a path"}, path.Clean(named)}}
}

func (p pathTo) Binary(in *Interp, op string, other Value, reflected bool) Value {
	at, isPath := other.X.(pathTo)
	switch {
	case isPath && op == "==":
		return Value{X: p == at}
	case isPath && op == "!=":
		return Value{X: p != at}
	case op != "/":
		return in.Unknown(Environment, "%s of a path", op)
	case reflected:
		return in.aPath(other, Value{X: p})
	}
	return in.aPath(Value{X: p}, other)
}

func (p pathTo) InstanceOf(class string) (truth, known bool) {
	return strings.HasPrefix(class, "pathlib."), true
}

func (p pathTo) GetAttr(in *Interp, name string) (Value, bool) {
	self := Value{X: p}
	method := func(m Method) (Value, bool) { return Value{X: m}, true }
	base := path.Base(p.path)
	extension := path.Ext(strings.TrimLeft(base, "."))
	switch name {
	case "name":
		return Value{X: base}, true
	case "suffix":
		return Value{X: extension}, true
	case "stem":
		return Value{X: strings.TrimSuffix(base, extension)}, true
	case "parent":
		return in.aPath(Value{X: path.Dir(p.path)}), true
	case "parents":
		l := &List{}
		for at := p.path; at != path.Dir(at); {
			if !in.Spend(len(at) / 8) {
				return in.Unknown(TooLong, "a path that is too long to follow"), true
			}
			at = path.Dir(at)
			l.Items = append(l.Items, in.aPath(Value{X: at}))
		}
		return Value{X: l}, true
	case "resolve", "absolute":
		if strings.HasPrefix(p.path, "/") {
			return method(func(*Interp, *Args) Value { return self })
		}
	case "expanduser":
		if !strings.HasPrefix(p.path, "~") {
			return method(func(*Interp, *Args) Value { return self })
		}
	case "as_posix", "__str__", "__fspath__":
		return method(func(*Interp, *Args) Value { return Value{X: p.path} })
	case "joinpath":
		return method(func(in *Interp, args *Args) Value { return in.aPath(append([]Value{self}, args.Positional...)...) })
	case "open":
		return method(func(in *Interp, args *Args) Value {
			all := *args
			all.Positional = append([]Value{self}, args.Positional...)
			return openFile(in, &all)
		})
	case "read_text":
		return method(func(in *Interp, _ *Args) Value {
			if f, ok := openFile(in, &Args{Positional: []Value{self}}).X.(*file); ok {
				return in.rest(f)
			}
			return in.Unknown(FileContents, "what is in %s", p.path)
		})
	case "write_text", "write_bytes", "rename", "replace", "unlink", "touch", "symlink_to", "hardlink_to":
		return method(func(in *Interp, args *Args) Value {
			in.writes(base)
			in.noteArgsEscape(name, args)
			return in.Unknown(Environment, "what %s of a path makes", name)
		})
	}
	return in.Unknown(Environment, "%s of a path", name), true
}

func addFiles(lenient adder) {
	lenient(openFile, "open", "io.open", "codecs.open", "tensorflow.io.gfile.GFile")
	lenient(func(in *Interp, args *Args) Value {
		if args.Open != nil {
			return args.Open.Unknown()
		}
		return in.aPath(args.Positional...)
	}, "pathlib.Path", "pathlib.PurePath", "pathlib.PosixPath")
	lenient(func(in *Interp, args *Args) Value {
		if s, ok := in.pathText(positional(args, 0)); ok && strings.HasPrefix(s, "/") {
			return Value{X: path.Clean(s)}
		}
		return in.Unknown(Environment, "where the program runs")
	}, "os.path.abspath", "os.path.realpath")
	lenient(func(in *Interp, args *Args) Value {
		if s, ok := in.pathText(positional(args, 0)); ok {
			return Value{X: s}
		}
		return in.Unknown(Environment, "the path of %s", in.describe(positional(args, 0)))
	}, "os.fspath")
}
