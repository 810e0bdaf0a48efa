package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"

	"github.com/tfmem/tfmem/analyzer"
	"github.com/tfmem/tfmem/analyzer/project"
	"github.com/tfmem/tfmem/analyzer/releases"
)

// declaredBackend returns the backend that this process and Keras's own settings declare for
// Keras, as Keras finds it (keras/src/backend/config.py), or none.
func declaredBackend() analyzer.Backend {
	if name := os.Getenv(releases.KerasBackend); name != "" {
		return analyzer.Backend{Name: name, Why: releases.KerasBackend + " says so in tfmem's environment"}
	}
	folder := os.Getenv("KERAS_HOME")
	if folder == "" {
		home, err := os.UserHomeDir()
		if err != nil {
			return analyzer.Backend{}
		}
		folder = filepath.Join(home, ".keras")
	}
	path := filepath.Join(folder, "keras.json")
	text, err := project.ReadFile(path, longestSettings)
	var settings struct {
		Backend string `json:"backend"`
	}
	if err != nil || json.Unmarshal(text, &settings) != nil || settings.Backend == "" {
		return analyzer.Backend{}
	}
	return analyzer.Backend{Name: settings.Backend, Why: path + " says so"}
}

// foreignBackend returns a warning if a backend other than TensorFlow is declared, or nil.
func foreignBackend(b analyzer.Backend) error {
	if b.Name == "" || b.Name == releases.TensorFlow {
		return nil
	}
	return fmt.Errorf("the backend of Keras is %s, as %s: of programs with Keras 3 that choose no other backend nothing is known", b.Name, b.Why)
}
