package discover

import (
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/go-git/go-git/v5/plumbing/format/gitignore"
)

// ignores are the .gitignore files that apply in a folder: its own, then those
// of the folders above it. Nil hides nothing.
type ignores struct {
	folder   string
	patterns []gitignore.Pattern
	above    *ignores
}

// parse reads the text of a .gitignore file.
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
		// The library takes "a/**" to hide a itself. All in a, as git has it, is
		// in a walk from the top what "a/*" hides.
		if path := strings.TrimSuffix(line, "/"); strings.HasSuffix(path, "/**") {
			line = strings.TrimSuffix(path, "*") + line[len(path):]
		}
		patterns = append(patterns, gitignore.ParsePattern(line, nil))
	}
	return patterns
}

// with adds the patterns of a file that holds for a folder. A file that cannot
// be read hides nothing.
func (i *ignores) with(folder, file string) *ignores {
	text, err := os.ReadFile(file)
	if err != nil {
		return i
	}
	patterns := parse(string(text))
	if len(patterns) == 0 {
		return i
	}
	return &ignores{folder: folder, patterns: patterns, above: i}
}

// above are the ignores that reach a folder from above it, within its
// repository. Outside of a repository none do.
func above(folder string) *ignores {
	repository := repositoryOf(folder)
	if repository == "" {
		return nil
	}
	var i *ignores
	i = i.with(repository, filepath.Join(repository, ".git", "info", "exclude"))
	var between []string
	for f := folder; f != repository; f = filepath.Dir(f) {
		between = append(between, filepath.Dir(f))
	}
	for _, f := range slices.Backward(between) {
		i = i.with(f, filepath.Join(f, ".gitignore"))
	}
	return i
}

// hides tells whether a path in the folder is ignored, provided that none of
// the folders that lead to it is: the last pattern that matches decides, of the
// nearest file that has any.
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
