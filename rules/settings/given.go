package settings

import (
	"fmt"
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
