package value

import (
	"path"
	"path/filepath"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/tfmem/tfmem/analyzer/folders"
	"github.com/tfmem/tfmem/analyzer/headers"
	"github.com/tfmem/tfmem/analyzer/names"
	"github.com/tfmem/tfmem/analyzer/tally"
)

// An Escaper is an object that forgets what it holds when an unmodelled function
// receives it.
type Escaper interface{ Escape(in *Interp) }

// A PathLike is an object that stands for a path, as os.PathLike does.
type PathLike interface{ Fspath() string }

// noteEscape records that an unmodelled function receives a value: it may write the file of
// that name, or read from an open file.
func (in *Interp) noteEscape(v Value) {
	if f, ok := v.X.(Escaper); ok {
		f.Escape(in)
		return
	}
	named, ok := PathText(v)
	switch {
	case !ok || len(named) >= MaxPath:
	case path.Ext(named) != "":
		in.Writes(path.Base(named))
	default:
		in.filled = append(in.filled, path.Clean(named))
	}
}

// fills reports whether the program may write into a folder: an unmodelled function received its
// path, or that of a folder above or below it.
func (in *Interp) fills(folder string) bool {
	folder = path.Clean(folder)
	return slices.ContainsFunc(in.filled, func(at string) bool {
		return at == "." || at == folder || strings.HasPrefix(at, folder+"/") || strings.HasPrefix(folder, at+"/")
	})
}

// NoteArgsEscape records that the arguments of a call escape to an unmodelled function.
func (in *Interp) NoteArgsEscape(function string, args *Args) {
	switch library, rest, _ := strings.Cut(function, "."); {
	case function == "os.system", function == "os.chdir", library == "subprocess":
		in.Writes("") // any file
	case strings.HasSuffix(rest, "_from_directory"), library == "glob", function == "os.listdir", function == "os.scandir", function == "os.walk", function == "builtins.print":
	case library == "logging", strings.HasPrefix(rest, "path."), strings.HasSuffix(rest, "exists"), library == "json", library == "yaml", strings.HasPrefix(rest, "read_"):
	case function == "numpy.load", function == "cv2.imread", function == "PIL.Image.open", strings.HasSuffix(rest, ".load_img"), strings.HasSuffix(rest, ".load_model"): // which only read
	default:
		for _, v := range args.Positional {
			in.noteEscape(v)
		}
		for _, v := range args.Keywords.All() {
			in.noteEscape(v)
		}
	}
}

// Writes records that the program writes files with that name, or any file if the name
// is empty.
func (in *Interp) Writes(base string) {
	if in.written == nil {
		in.written = map[string]bool{}
	}
	in.written[base] = true
}

// MaxPath limits the length of a path (PATH_MAX).
const MaxPath = 4096

// Text returns the text of a file of the project, as the program finds it under a path.
func (in *Interp) Text(named string) (text string, ok bool) {
	text, ok = in.read(in.Host.Text, named)
	if strings.HasPrefix(text, byteOrderMark) || !utf8.ValidString(text) {
		return "", false // the encoding decides whether it is part of the text
	}
	return text, ok
}

// Head returns the first lines of a table of the project. What is not UTF-8 is replaced: commas are
// the same in all encodings but UTF-16 and UTF-32.
func (in *Interp) Head(named string) (text string, ok bool) {
	text, ok = in.read(in.Host.Head, named)
	if strings.Contains(text, "\x00") {
		return "", false
	}
	if ok {
		in.measured(named)
	}
	return strings.ToValidUTF8(strings.TrimPrefix(text, byteOrderMark), "\ufffd"), ok
}

// Header returns what the header of a file of arrays, or of a picture, says.
func (in *Interp) Header(named string) (h headers.Header, ok bool) {
	if text, read := in.Head(named); read {
		return headers.Parse(text)
	}
	return h, false
}

// Lines returns how many lines a text of the project has, however long it is.
func (in *Interp) Lines(named string) (t tally.Text, ok bool) {
	text, read := in.read(in.Host.Lines, named)
	if t, ok = tally.Parse(text); !read || !ok || t.Binary {
		return t, false
	}
	if !in.counts[named] {
		if in.counted += t.Bytes; in.counted > maxCounted || !in.Spend(int(t.Bytes/bytesPerCount)) {
			return t, false
		}
		if in.counts == nil {
			in.counts = map[string]bool{}
		}
		in.counts[named] = true
	}
	in.measured(named)
	return t, true
}

// Folder returns what a folder of the project holds.
func (in *Interp) Folder(named string) (f folders.Folder, ok bool) {
	if in.fills(named) {
		return f, false
	}
	text, read := in.read(in.Host.Folder, named)
	if f, ok = folders.Parse(text); !read || !ok {
		return f, false
	}
	in.measured(named)
	return f, true
}

// measured records that a size is read from what the program opens under a path.
func (in *Interp) measured(named string) {
	if !slices.Contains(in.Measured, named) {
		in.Measured = append(in.Measured, named)
	}
}

const byteOrderMark = "\ufeff"

// read returns a text of the project, unless the program writes it.
func (in *Interp) read(from func(program, path string) (string, bool), named string) (text string, ok bool) {
	if in.Main.Info.Path == "" || len(named) > MaxPath || in.written[""] || in.written[path.Base(named)] {
		return "", false
	}
	if text, ok = from(in.Main.Info.Path, named); !in.Spend(len(text) / 64) {
		return "", false
	}
	return strings.ReplaceAll(text, "\r\n", "\n"), ok
}

// FileOf returns __file__ of a module.
func FileOf(module *names.Info) Value {
	if module.Path == "" || module.Namespace {
		return Because(Environment, "the path of the file").Unknown()
	}
	return Value{X: filepath.ToSlash(module.Path)}
}

// PathText returns a path as a text.
func PathText(v Value) (string, bool) {
	if p, ok := v.X.(PathLike); ok {
		return p.Fspath(), true
	}
	s, ok := Plain(v).X.(string)
	return s, ok
}
