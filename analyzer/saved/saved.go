// Package saved reads a saved Keras model: the configuration in a .keras file, or the JSON of
// model.to_json(). Read writes it as the Python that builds the model, so that the analyzer learns
// of saved models and of source text by the same rows.
//
// It reads neither weights nor code: what a Lambda layer computes is unknown, and a class that is not
// Keras's own is imported from the module that the configuration names. It runs nothing. Of layers it
// knows by name only the three that keras.applications has of its own (applications.py).
package saved

import (
	"archive/zip"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"strings"

	"github.com/tfmem/tfmem/analyzer/source"
)

// mostBytes bounds a configuration: that of the largest keras.applications model has 1.3 MB.
const mostBytes = 16 << 20

// Archive is the extension of the files that Keras's own format has.
const Archive = "keras"

// Is reports whether a file is a saved model, by its name.
func Is(path string) bool {
	switch strings.ToLower(filepath.Ext(path)) {
	case "." + Archive, ".json":
		return true
	}
	return false
}

// A Model is a saved model as a program.
type Model struct {
	// Python builds the model, binds it to "model", and compiles it as it was when it was saved.
	Python string
	// Version is that of the Keras that saved it, "3.15.1"; "" if the file does not say it.
	Version string
	// Elsewhere are the classes and functions that the model has and the file only names.
	Elsewhere []string
	// AssumesLoss is set where the file says no loss, and the mean squared error is taken.
	AssumesLoss bool
}

// Read reads the model in a file of this many bytes. With an optimizer's name, the model is compiled
// with that one.
func Read(file io.ReaderAt, size int64, optimizer string) (*Model, error) {
	data, metadata, err := configuration(file, size)
	if err != nil {
		return nil, err
	}
	model, err := object(data)
	if err != nil {
		return nil, fmt.Errorf("its configuration is not that of a Keras model: %w", err)
	}
	version, _ := model["keras_version"].(string)
	if about, err := object(metadata); err == nil {
		version, _ = about["keras_version"].(string)
	}
	return write(model, version, optimizer)
}

// Source returns such Python as the source of the file. No place of it is one that a person could read
// or edit, so all lie at the file's start.
func Source(path, program string) (*source.Source, error) {
	return source.Join(path, program, []source.Segment{{Name: path}}, []source.Span{{}})
}

// configuration returns the JSON that describes a model, and what a .keras file has beside it.
func configuration(file io.ReaderAt, size int64) (config, metadata []byte, err error) {
	start := make([]byte, 4)
	if n, err := file.ReadAt(start, 0); err != nil && !errors.Is(err, io.EOF) {
		return nil, nil, err
	} else if !bytes.Equal(start[:n], []byte("PK\x03\x04")) {
		config, err = whole(io.NewSectionReader(file, 0, size))
		return config, nil, err
	}
	archive, err := zip.NewReader(file, size)
	if err != nil {
		return nil, nil, err
	}
	if config, err = entry(archive, "config.json"); err != nil {
		return nil, nil, err
	}
	metadata, _ = entry(archive, "metadata.json") // it only has the version
	return config, metadata, nil
}

func entry(archive *zip.Reader, name string) ([]byte, error) {
	f, err := archive.Open(name)
	if err != nil {
		return nil, fmt.Errorf("it has no %s, as a model that Keras saved does", name)
	}
	defer f.Close()
	return whole(f)
}

// whole reads a configuration, unless it has more than mostBytes.
func whole(r io.Reader) ([]byte, error) {
	data, err := io.ReadAll(io.LimitReader(r, mostBytes+1))
	if err == nil && len(data) > mostBytes {
		err = fmt.Errorf("its configuration has more than %d MiB", mostBytes>>20)
	}
	return data, err
}

// object decodes a JSON object, its numbers as they are written.
func object(data []byte) (o map[string]any, err error) {
	d := json.NewDecoder(bytes.NewReader(data))
	d.UseNumber()
	err = d.Decode(&o)
	return o, err
}
