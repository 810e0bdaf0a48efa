package measure

import (
	"crypto/sha256"
	"encoding/hex"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/tfmem/tfmem/analyzer/notebook"
	"github.com/tfmem/tfmem/analyzer/project"
	"github.com/tfmem/tfmem/analyzer/syntax"
)

// Script returns the absolute path of the Python file or notebook that a command line runs, or "".
func Script(command []string) string {
	path, _ := script(command)
	return path
}

// script returns the Python file or notebook that a command line runs, and its code's hash: the
// first argument that is one, which is what papermill and nbconvert execute, or the module after
// -m, unless it is no file of the project, such as papermill or cProfile.
func script(command []string) (path, hash string) {
	for i, arg := range command {
		var files []string
		switch before := command[max(i-1, 0)]; {
		case before == "-m":
			files = moduleFiles(arg)
		case before == "--output": // of nbconvert
		case strings.HasSuffix(arg, ".py"), notebook.Is(arg):
			files = []string{arg}
		}
		for _, file := range files {
			text, err := project.ReadFile(file, project.MaxSize)
			abs, err2 := filepath.Abs(file)
			if err == nil && err2 == nil {
				return abs, Hash(Code(abs, string(text)))
			}
		}
	}
	return "", ""
}

// moduleFiles returns the files where python -m looks for a module: below the working directory,
// then below the folders of PYTHONPATH; of a package it runs __main__.py.
func moduleFiles(name string) (files []string) {
	inside := strings.ReplaceAll(name, ".", string(filepath.Separator))
	if !filepath.IsLocal(inside) {
		return nil
	}
	for _, folder := range append([]string{""}, filepath.SplitList(os.Getenv("PYTHONPATH"))...) {
		at := filepath.Join(folder, inside)
		files = append(files, filepath.Join(at, "__main__.py"), at+".py")
	}
	return files
}

// Code returns what the measurement of a file depends on: its text or, of a notebook, its cells'
// code, as running it may change its outputs.
func Code(path, text string) string {
	if notebook.Is(path) {
		if n, err := notebook.Read(path, text); err == nil {
			if s, err := n.Source(); err == nil {
				return s.Text()
			}
		}
	}
	return text
}

// Hash returns the hash of a script's code as a Measurement has it. Comments, blank lines and spaces
// at the ends of lines do not count: they change nothing that was measured.
func Hash(code string) string {
	var bare strings.Builder
	at := 0
	for s := range syntax.Parse(code).Statements() {
		s.Walk(func(n syntax.Node) bool {
			if n.Kind() == syntax.Comment {
				bare.WriteString(code[at:n.Start()])
				at = n.End()
			}
			return true
		})
	}
	bare.WriteString(code[at:])
	sum := sha256.New()
	for line := range strings.Lines(bare.String()) {
		if line = strings.TrimRight(line, " \t\r\n"); line != "" {
			_, _ = io.WriteString(sum, line+"\n")
		}
	}
	return hex.EncodeToString(sum.Sum(nil))
}
