package settings

import (
	"path/filepath"
	"strings"

	"github.com/bmatcuk/doublestar/v4"
)

// GlobFolder returns the folder that contains all that a pattern of paths can match. ok is false
// if the text is not such a pattern.
func GlobFolder(glob string) (folder string, ok bool) {
	if !strings.ContainsAny(glob, "*?[{") || !validGlob(filepath.ToSlash(glob)) {
		return "", false
	}
	folder, _ = doublestar.SplitPattern(filepath.ToSlash(glob))
	return filepath.FromSlash(folder), true
}

// MatchesGlob reports whether a pattern matches a path. Both are relative to the same folder, or
// absolute.
func MatchesGlob(glob, path string) bool {
	ok, _ := doublestar.Match(filepath.ToSlash(filepath.Clean(glob)), filepath.ToSlash(path))
	return ok
}
