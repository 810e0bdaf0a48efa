package main

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"
	"github.com/xeipuuv/gojsonschema"

	"github.com/tfmem/tfmem/rules/explain"
)

// TestExplainSchema holds the explanations of all threads, and one of nothing, against the schema,
// and its causes against those that there are.
func TestExplainSchema(t *testing.T) {
	text, err := os.ReadFile("explain.schema.json")
	if err != nil {
		t.Fatal(err)
	}
	schema, err := gojsonschema.NewSchema(gojsonschema.NewBytesLoader(text))
	if err != nil {
		t.Fatal(err)
	}
	files, err := filepath.Glob("../../testdata/explain/*.txtar")
	if err != nil || len(files) == 0 {
		t.Fatal("there are no logs", err)
	}
	logs := [][]byte{nil}
	for _, file := range files {
		ar, err := txtar.ParseFile(file)
		if err != nil {
			t.Fatal(err)
		}
		logs = append(logs, ar.Files[0].Data)
	}
	for i, text := range logs {
		log, err := explain.Read(bytes.NewReader(text))
		if err != nil {
			t.Fatal(err)
		}
		for _, x := range explain.Explain(log, namedGPU) {
			for _, code := range x.Rules {
				if !slices.Contains(codes(), code) {
					t.Errorf("%s asks %s, and there is no such rule", x.Claim, code)
				}
			}
		}
		document, err := json.Marshal(toJSON("train.log", explain.Explain(log, namedGPU), []string{"a sentence"}, ranPrograms{files: []string{"train.py"}, missing: []string{"b.py"}}))
		if err != nil {
			t.Fatal(err)
		}
		result, err := schema.Validate(gojsonschema.NewBytesLoader(document))
		if err != nil || !result.Valid() {
			t.Errorf("log %d: %v, %v", i, err, result.Errors())
		}
	}
	var parts struct {
		Definitions struct {
			Explanation struct {
				Properties struct {
					Cause struct {
						Enum []explain.Cause `json:"enum"`
					} `json:"cause"`
				} `json:"properties"`
			} `json:"explanation"`
		} `json:"definitions"`
	}
	if err := json.Unmarshal(text, &parts); err != nil {
		t.Fatal(err)
	}
	if causes := parts.Definitions.Explanation.Properties.Cause.Enum; !slices.Equal(causes, explain.Causes) {
		t.Errorf("the schema has the causes %v", causes)
	}
}
