package main

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"os"
	"path/filepath"

	"github.com/tfmem/tfmem/analyzer/names"
	"github.com/tfmem/tfmem/analyzer/notebook"
	"github.com/tfmem/tfmem/analyzer/observed"
	"github.com/tfmem/tfmem/analyzer/project"
	"github.com/tfmem/tfmem/analyzer/source"
	"github.com/tfmem/tfmem/cmd/tfmem/internal/checker"
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
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return err
	}
	temp, err := os.CreateTemp(filepath.Dir(path), ".observed-*")
	if err != nil {
		return err
	}
	_, err = temp.Write(text.Bytes())
	if err = errors.Join(err, temp.Close()); err == nil {
		err = os.Rename(temp.Name(), path)
	}
	if err != nil {
		os.Remove(temp.Name())
	}
	return err
}
