package discover

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/go-git/go-git/v5/plumbing/format/gitignore"

	"github.com/tfmem/tfmem/analyzer/project"
)

// ignores are the .gitignore files that apply in a folder: its own, then those of its parents.
// Nil hides nothing.
type ignores struct {
	folder   string
	patterns []gitignore.Pattern
	above    *ignores
}

// parse parses the text of a .gitignore file.
func parse(text string) []gitignore.Pattern {
	var patterns []gitignore.Pattern
	for line := range strings.SplitSeq(strings.TrimPrefix(text, "\ufeff"), "\n") {
		line = strings.TrimSuffix(line, "\r")
		if !strings.HasSuffix(line, `\ `) {
			line = strings.TrimRight(line, " ")
		}
		if line == "" || line[0] == '#' {
			continue
		}
		// In the library "a/**" also hides a. In git it hides only what is in a, as "a/*" does in
		// a search from the top.
		if path := strings.TrimSuffix(line, "/"); strings.HasSuffix(path, "/**") {
			line = strings.TrimSuffix(path, "*") + line[len(path):]
		}
		patterns = append(patterns, gitignore.ParsePattern(line, nil))
	}
	return patterns
}

// longestIgnores is the size in bytes beyond which a file of patterns is not read.
const longestIgnores = 1 << 20

// ignoring adds the patterns of the .gitignore file in a folder. path is how the folder is shown.
func (w *walk) ignoring(i *ignores, folder, path string) *ignores {
	file := filepath.Join(folder, ".gitignore")
	if err := project.Inside(file, project.Root(project.Disk{}, file)); err != nil {
		w.unread(path, err)
		return i
	}
	return w.patterns(i, folder, path)
}

// patterns adds the patterns of a file that applies to a folder. A file that is not read
// hides nothing.
func (w *walk) patterns(i *ignores, folder, file string) *ignores {
	if w.options.Unhidden || (project.Disk{}).Kind(file) == project.Nothing {
		return i
	}
	text, err := project.ReadFile(file, longestIgnores)
	if err != nil {
		w.unread(file, err)
		return i
	}
	patterns := parse(string(text))
	if len(patterns) == 0 {
		return i
	}
	return &ignores{folder: folder, patterns: patterns, above: i}
}

// unread reports why a file of patterns is not read.
func (w *walk) unread(path string, err error) {
	if w.options.Warn != nil {
		w.options.Warn(fmt.Errorf("%w; what it ignores is searched", explain(path, err)))
	}
}

// above returns the ignores that apply to a folder from above it, within its repository. Outside
// of a repository there are none.
func (w *walk) above(folder string) *ignores {
	repository := project.Repository(project.Disk{}, folder)
	if repository == "" {
		return nil
	}
	var i *ignores
	i = w.patterns(i, repository, filepath.Join(repository, ".git", "info", "exclude"))
	var between []string
	for f := folder; f != repository; f = filepath.Dir(f) {
		between = append(between, filepath.Dir(f))
	}
	for _, f := range slices.Backward(between) {
		i = w.ignoring(i, f, join(f, ".gitignore"))
	}
	return i
}

// hides reports whether a path in the folder is ignored, if none of its parent folders is.
// The last matching pattern decides, in the nearest file that has a match.
func (i *ignores) hides(path string, isFolder bool) bool {
	for ; i != nil; i = i.above {
		rel, err := filepath.Rel(i.folder, path)
		if err != nil {
			continue
		}
		names := strings.Split(filepath.ToSlash(rel), "/")
		for _, p := range slices.Backward(i.patterns) {
			if verdict := p.Match(names, isFolder); verdict != gitignore.NoMatch {
				return verdict == gitignore.Exclude
			}
		}
	}
	return false
}
