package settings

import (
	"errors"
	"fmt"
	"path/filepath"
	"regexp"
	"strings"

	"github.com/tfmem/tfmem/rules"
)

// Given returns the settings that a command line adds to those of files: patterns of files to
// exclude, and "PATTERN:RULE" for rules that do not run on files. A rule alone belongs to the
// pattern before it. Patterns are relative to the folder.
func Given(folder string, exclude, perFileIgnores []string) (*Settings, error) {
	s := &Settings{}
	for _, glob := range exclude {
		p, err := newPattern(folder, glob)
		if err != nil {
			return nil, fmt.Errorf("--exclude: %w", err)
		}
		s.exclude = append(s.exclude, p)
	}
	for _, item := range perFileIgnores {
		code := item
		if colon := strings.LastIndexByte(item, ':'); colon >= 0 {
			code = item[colon+1:]
			f, err := newFileIgnores(folder, item[:colon])
			if err != nil {
				return nil, fmt.Errorf("--per-file-ignores: %w", err)
			}
			s.perFileIgnores = append(s.perFileIgnores, f)
		} else if s.perFileIgnores == nil {
			return nil, fmt.Errorf("--per-file-ignores: %q is not a pattern and a rule, such as \"tests:TFM5\"", item)
		}
		selector, err := rules.ParseSelector(code)
		if err != nil {
			return nil, fmt.Errorf("--per-file-ignores: %w", err)
		}
		last := &s.perFileIgnores[len(s.perFileIgnores)-1]
		last.rules = append(last.rules, selector)
	}
	return s, nil
}

// onCommandLine names the settings of a command line in messages.
const onCommandLine = "--config"

// line is what a setting begins with, and no path of a file does.
var line = regexp.MustCompile(`^\s*[A-Za-z][A-Za-z0-9_."'-]*\s*=`)

// IsLine reports whether an argument is a setting, such as 'gpu = "T4"', and not the path of a file.
func IsLine(argument string) bool { return line.MatchString(argument) }

// Typed reads settings that a command line gives as lines of TOML. They go before those of files.
// Paths and patterns are relative to the folder.
func (f *Finder) Typed(text, folder string) (*Editor, error) {
	r := f.reader(filepath.Join(folder, onCommandLine), []byte(text), folder)
	r.path = onCommandLine
	if f.GPU != nil {
		r.gpu = func(setting string) (string, error) { return f.GPU(setting, folder, "") }
	}
	r.file = func(name string) (string, error) { return join(folder, name), nil }
	_, mistakes := r.read()
	if len(mistakes) == 0 && r.extend != "" {
		mistakes = append(mistakes, r.errorf(0, "extend is for settings files; name the file with --config"))
	}
	if len(mistakes) > 0 {
		var at *Error
		if errors.As(mistakes[0], &at) {
			at.Line, at.Column = 0, 0 // a person sees one line
		}
		return nil, mistakes[0]
	}
	return &Editor{settings: r.out, preference: editorFirst}, nil
}
