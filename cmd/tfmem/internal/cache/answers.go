package cache

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"golang.org/x/sync/errgroup"

	"github.com/tfmem/tfmem/analyzer/project"
)

var errChanged = errors.New("the files have changed")

// Answers are what the disk said, by path. Texts, their heads and lines, and lists are digests, or
// errors.
type answers struct {
	// Kinds are what exists, by folder and name; by "" and the path if that is not clean.
	Kinds map[string]map[string]project.Kind `json:"kinds"`
	Texts map[string]string                  `json:"texts"`
	Heads map[string]string                  `json:"heads"`
	Lines map[string]string                  `json:"lines"`
	Lists map[string]string                  `json:"lists"`
	Reals map[string]string                  `json:"reals"`
}

func newAnswers() answers {
	return answers{map[string]map[string]project.Kind{}, map[string]string{}, map[string]string{}, map[string]string{}, map[string]string{}, map[string]string{}}
}

// A stamped is the digest of the text that a file had when it had a stamp.
type stamped struct {
	Stamp  Stamp  `json:"stamp"`
	Digest string `json:"digest"`
}

// add adds the answers of others. It returns false if one of them is another than before.
func (a answers) add(others answers) bool {
	same := true
	for folder, kinds := range others.Kinds {
		if a.Kinds[folder] == nil {
			a.Kinds[folder] = map[string]project.Kind{}
		}
		same = addTo(a.Kinds[folder], kinds) && same
	}
	return addTo(a.Texts, others.Texts) && addTo(a.Heads, others.Heads) && addTo(a.Lines, others.Lines) && addTo(a.Lists, others.Lists) && addTo(a.Reals, others.Reals) && same
}

func addTo[A comparable](to, from map[string]A) bool {
	for path, answer := range from {
		if before, known := to[path]; known && before != answer {
			return false
		}
		to[path] = answer
	}
	return true
}

// hold reports whether the disk still gives the answers. It reads no text whose file has the stamp
// that it had.
func (a answers) hold(stamps map[string]stamped) bool {
	var disk project.Disk
	var group errgroup.Group
	group.SetLimit(max(2, runtime.GOMAXPROCS(0)))
	each := func(paths []string, holds func(path string) bool) {
		const batch = 64
		for some := range slices.Chunk(paths, batch) {
			group.Go(func() error {
				if !slices.ContainsFunc(some, func(path string) bool { return !holds(path) }) {
					return nil
				}
				return errChanged
			})
		}
	}
	each(keys(a.Kinds), func(folder string) bool { return kindsHold(folder, a.Kinds[folder]) })
	each(keys(a.Texts), func(path string) bool {
		digest, ok := unchanged(stamps, path)
		if !ok {
			digest = textAnswer(disk.Read(path))
		}
		return digest == a.Texts[path]
	})
	each(keys(a.Lines), func(path string) bool {
		digest, ok := unchanged(stamps, linesOf(path))
		if !ok {
			digest = textAnswer(disk.Lines(path))
		}
		return digest == a.Lines[path]
	})
	each(keys(a.Heads), func(path string) bool { return textAnswer(disk.Head(path)) == a.Heads[path] })
	each(keys(a.Lists), func(folder string) bool { return listAnswer(folder) == a.Lists[folder] })
	each(keys(a.Reals), func(path string) bool { return disk.Real(path) == a.Reals[path] })
	return group.Wait() == nil
}

func keys[A any](m map[string]A) []string { return slices.Collect(maps.Keys(m)) }

// linesOf is the key of the stamp that a file had when its lines were counted. The text itself may have
// been read at another time.
func linesOf(path string) string { return path + linesKey }

const linesKey = "\x00lines"

// unchanged returns the digest of a file's text, or of its lines, if the file has the stamp that it had.
func unchanged(stamps map[string]stamped, key string) (digest string, ok bool) {
	before, known := stamps[key]
	if !known {
		return "", false
	}
	stamp, settled := StampOf(strings.TrimSuffix(key, linesKey))
	return before.Digest, settled && stamp == before.Stamp
}

// fewKinds is how many names of a folder are asked for one by one. More are looked up in its listing:
// an import asks for some five names, most of which do not exist.
const fewKinds = 3

// kindsHold reports whether what exists in a folder is what did.
func kindsHold(folder string, kinds map[string]project.Kind) bool {
	var disk project.Disk
	if folder == "" || len(kinds) <= fewKinds {
		for name, kind := range kinds {
			if disk.Kind(filepath.Join(folder, name)) != kind {
				return false
			}
		}
		return true
	}
	entries, err := project.ReadDir(folder, func(e fs.DirEntry) bool { _, asked := kinds[e.Name()]; return asked })
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		return false // it cannot be told
	}
	listed := map[string]bool{}
	for _, e := range entries {
		listed[e.Name()] = true
		kind := project.File
		switch {
		case e.Type()&fs.ModeSymlink != 0:
			kind = disk.Kind(filepath.Join(folder, e.Name()))
		case e.IsDir():
			kind = project.Folder
		}
		if kinds[e.Name()] != kind {
			return false
		}
	}
	for name, kind := range kinds {
		// A disk that ignores case has names that its listing spells otherwise.
		if kind != project.Nothing && !listed[name] && disk.Kind(filepath.Join(folder, name)) != kind {
			return false
		}
	}
	return true
}

func textAnswer(text string, err error) string {
	if err != nil {
		return "error " + err.Error()
	}
	return Digest(text)
}

// listAnswer stands for the names in a folder that count: a program that is trained writes others.
func listAnswer(folder string) string {
	names, err := project.Disk{}.List(folder, func(name string) bool { return project.Listed(folder, name) })
	if err != nil {
		return "error " + err.Error()
	}
	slices.Sort(names)
	return Digest(strings.Join(names, "\x00"))
}

// Digest stands for a text.
func Digest(text string) string {
	s := sha256.Sum256([]byte(text))
	return hex.EncodeToString(s[:16])
}
