package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/tfmem/tfmem/analyzer/hints"
	"github.com/tfmem/tfmem/analyzer/project"
	"github.com/tfmem/tfmem/cmd/tfmem/internal/checker"
)

// warnOfAimless warns of what the settings assume of an expression that none of the checked files
// has, if these are all files that the settings are about. One file cannot tell: another may have it.
// Nothing is said of the data files that settings name: a program may get their paths when it runs.
func (c *check) warnOfAimless(paths []string) {
	files := map[*hints.Hint][]string{}
	var order []*hints.Hint
	for _, path := range paths {
		for _, h := range c.configured[path].Assume.Anywhere() {
			if files[h] == nil {
				order = append(order, h)
			}
			files[h] = append(files[h], path)
		}
	}
	order = slices.DeleteFunc(order, func(h *hints.Hint) bool { return project.IsData(h.Of) || !c.covers(h) })
	texts := map[string]string{}
	for _, h := range order {
		aimless := !slices.ContainsFunc(files[h], func(path string) bool {
			text, known := texts[path]
			if !known {
				var err error
				if text, err = checker.ReadFile(path); err != nil {
					return true
				}
				texts[path] = text
			}
			return writes(text, h.Of)
		})
		if aimless {
			c.remark(fmt.Sprintf("warning: %s: assume: no checked file has %q, of which %s is said\n", h.From, h.Of, h))
		}
	}
}

// covers reports whether all files are checked that the settings file of a hint is about.
func (c *check) covers(h *hints.Hint) bool {
	at, _, _ := strings.Cut(h.From, ".toml:")
	at = c.settings.absolute(at + ".toml")
	if info, err := os.Stat(at); err != nil || !info.Mode().IsRegular() {
		return false // an editor's, or the command line's
	}
	return slices.ContainsFunc(c.paths, func(path string) bool {
		info, err := os.Stat(path)
		return err == nil && info.IsDir() && project.IsBelow(filepath.Dir(at), c.settings.absolute(path))
	})
}

// writes reports whether a text has an expression as it is written, also inside a notebook. It may be
// a part of a comment or of another expression.
func writes(text, expression string) bool {
	escaped, _ := json.Marshal(expression)
	for _, form := range []string{expression, string(escaped[1 : len(escaped)-1])} {
		for at := 0; ; {
			i := strings.Index(text[at:], form)
			if i < 0 {
				break
			}
			start, end := at+i, at+i+len(form)
			before, _ := utf8.DecodeLastRuneInString(text[:start])
			after, _ := utf8.DecodeRuneInString(text[end:])
			if !(inName(before) && inName(rune(form[0]))) && !(inName(after) && inName(rune(form[len(form)-1]))) {
				return true
			}
			at = start + 1
		}
	}
	return false
}

func inName(r rune) bool { return r == '_' || unicode.IsLetter(r) || unicode.IsDigit(r) }
