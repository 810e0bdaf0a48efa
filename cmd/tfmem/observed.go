package main

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"sync"

	"github.com/tfmem/tfmem/analyzer/names"
	"github.com/tfmem/tfmem/analyzer/notebook"
	"github.com/tfmem/tfmem/analyzer/observed"
	"github.com/tfmem/tfmem/analyzer/project"
	"github.com/tfmem/tfmem/analyzer/source"
	"github.com/tfmem/tfmem/cmd/tfmem/internal/checker"
	"github.com/tfmem/tfmem/cmd/tfmem/internal/write"
	"github.com/tfmem/tfmem/rules/settings"
)

// observationsOf makes observations of what processes told, by the files as they are now below the
// folder root. cells is the notebook whose cells ran, or "".
func observationsOf(root, cells string, dumps []*observed.Dump) (*observed.File, error) {
	w := project.New(project.Disk{}, "", root)
	return observed.FromDumps(dumps, observed.Program{Root: root, Notebook: cells, Read: func(path string) (*source.Source, *names.Info, error) {
		text, err := checker.ReadFile(path)
		if err != nil {
			return nil, nil, err
		}
		src := source.New(path, text)
		if notebook.Is(path) {
			n, err := notebook.Read(path, text)
			if err != nil {
				return nil, nil, err
			}
			if src, err = n.Source(); err != nil {
				return nil, nil, err
			}
		}
		return src, w.Resolve(path, w.Tree(path, src.Text())), nil
	}})
}

// observationsAt returns the file of the observations of the project in a folder.
func observationsAt(root string) (string, error) {
	dir, err := os.UserCacheDir()
	if err != nil {
		return "", err
	}
	sum := sha256.Sum256([]byte(root))
	return filepath.Join(dir, "tfmem", "observed", hex.EncodeToString(sum[:])+".json"), nil
}

// keepObservations stores observations in a file, which is the old or the new one.
func keepObservations(f *observed.File, path string) error {
	var text bytes.Buffer
	if err := f.Write(&text); err != nil {
		return err
	}
	return write.Store(path, text.Bytes())
}

// A told is a file of observations, or a raw dump, and the folder that its paths are relative to.
type told struct{ path, root string }

// A telling is what was read of it, once.
type telling struct {
	once  sync.Once
	index *observed.Index
	err   error
}

// observations returns what runs told of the program at an absolute path; nil for nothing. The command
// line goes before the settings, and these before what the last probe on this machine left.
func (c *configurator) observations(path string, s *settings.Settings) (*observed.Index, error) {
	switch {
	case c.observed != "":
		return c.telling(told{c.observed, filepath.Dir(c.observed)}, fromHere(c.observed), "--observed: ")
	case s.Observed != "":
		return c.telling(told{s.Observed, filepath.Dir(s.Observed)}, fromHere(s.Observed), s.ObservedFrom+": observed: ")
	case !observes():
		return nil, nil
	}
	root := c.rootOf(path)
	at, err := observationsAt(root)
	if err != nil || (project.Disk{}).Kind(at) == project.Nothing {
		return nil, nil
	}
	index, err := c.telling(told{at, root}, at, "")
	if err != nil {
		c.unread.add(fmt.Errorf("%w; run tfmem probe again", err))
	}
	return index, nil
}

// observing makes a file count that the command line names.
func (c *configurator) observing(path string) {
	if path != "" {
		c.observed = c.absolute(path)
	}
}

// observes reports whether a probe left anything on this machine, which few did.
var observes = sync.OnceValue(func() bool {
	at, err := observationsAt("")
	return err == nil && (project.Disk{}).Kind(filepath.Dir(at)) != project.Nothing
})

// rootOf returns the folder of the project of a file: what a probe of it stores its observations by.
func (c *configurator) rootOf(path string) string {
	folder := filepath.Dir(path)
	c.mu.Lock()
	defer c.mu.Unlock()
	root, known := c.rootOfFolder[folder]
	if !known {
		root = project.Root(project.Disk{}, path)
		if c.rootOfFolder == nil {
			c.rootOfFolder = map[string]string{}
		}
		c.rootOfFolder[folder] = root
	}
	return root
}

// telling reads observations, once. by and named say who names the file, and how.
func (c *configurator) telling(of told, named, by string) (*observed.Index, error) {
	c.mu.Lock()
	t := c.told[of]
	if t == nil {
		t = &telling{}
		c.told[of] = t
	}
	c.mu.Unlock()
	t.once.Do(func() {
		t.index, t.err = readObservations(of)
		var at *fs.PathError
		if errors.As(t.err, &at) {
			t.err = at.Err
		}
		if t.err != nil {
			t.err = fmt.Errorf("%scannot read %s: %w", by, named, t.err)
		}
	})
	return t.index, t.err
}

// readObservations reads a file of observations, or a raw dump.
func readObservations(of told) (*observed.Index, error) {
	text, err := project.ReadFile(of.path, observed.MostBytes)
	if err != nil {
		return nil, err
	}
	file, dump, err := observed.Read(text)
	if err != nil {
		return nil, err
	}
	if dump != nil {
		return observed.NewDumpIndex(dump)
	}
	return observed.NewIndex(of.root, file)
}
