package launch

import (
	"strings"

	"github.com/tfmem/tfmem/analyzer/effects"
	"github.com/tfmem/tfmem/analyzer/facts"
	"github.com/tfmem/tfmem/analyzer/names"
	"github.com/tfmem/tfmem/analyzer/syntax"
)

// GunicornSettings reads a configuration of gunicorn: the names that its module binds at last.
func GunicornSettings(text string) []Server {
	tree := syntax.Parse(text)
	if len(text) > MaxText || tree.HasErrors() {
		return nil
	}
	info := names.Resolve(tree, effects.Library{}, nil)
	s := Server{Program: "gunicorn", Environment: map[string]string{}}
	known := false
	for statement := range tree.Statements() {
		a := statement
		if a.Kind() == syntax.ExpressionStatement {
			a = a.FirstChild()
		}
		value := a.Child(syntax.FieldRight)
		if a.Kind() != syntax.Assignment || !value.Valid() {
			continue
		}
		line := strings.Count(text[:a.Start()], "\n") + 1
		switch a.Child(syntax.FieldLeft).Text() {
		case "workers":
			s.Workers, s.WorkersLine, known = workers(info, value), line, true
		case "preload_app":
			if s.PreloadedBy = ""; value.Kind() == syntax.True {
				s.PreloadedBy, s.PreloadLine, known = "preload_app", line, true
			}
		case "wsgi_app":
			if app, ok := names.StringValue(value); ok {
				s.Module, known = moduleOf(app), true
			}
		case "chdir":
			folder, _ := names.StringValue(value)
			s.enter(folder)
		}
		if s.Line == 0 && known {
			s.Line = line
		}
	}
	if !known {
		return nil
	}
	if s.WorkersLine == 0 {
		s.WorkersLine = s.Line
	}
	if s.PreloadLine == 0 {
		s.PreloadLine = s.Line
	}
	// A hook may give each worker a GPU, or a limit.
	for _, word := range []string{"CUDA_VISIBLE_DEVICES", "tensorflow"} {
		if strings.Contains(text, word) {
			s.Environment["CUDA_VISIBLE_DEVICES"] = Unknown
		}
	}
	return []Server{s}
}

// workers reads the value of a setting: a number, one for each processor, or what the environment
// says, by default.
func workers(info *names.Info, value syntax.Node) Count {
	defer info.Enter(value).Leave()
	if n, ok := facts.Of(info).Number(value, nil).Whole(); ok && n >= 0 && n < 1<<20 {
		return count(int(n))
	}
	made := info.DefiningExpr(value)
	if made.Kind() == syntax.Call && info.Builtin(made) == "int" {
		made = info.DefiningExpr(names.Argument(made, 0, "x"))
	}
	if made.Kind() == syntax.Call && (info.Callee(made) == "os.environ.get" || info.Callee(made) == "os.getenv") {
		preset := names.Argument(made, 1, "default")
		if text, ok := names.StringValue(preset); ok {
			return number(text)
		}
		if preset.Valid() {
			return workers(info, preset)
		}
	}
	several := false
	made.Walk(func(n syntax.Node) bool {
		if n.Kind() == syntax.Call {
			callee := info.Callee(n)
			several = several || callee == "multiprocessing.cpu_count" || callee == "os.cpu_count"
		}
		return !several
	})
	return Count{Several: several, Said: true}
}
