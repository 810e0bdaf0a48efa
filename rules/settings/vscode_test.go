package settings

import (
	"encoding/json"
	"os"
	"slices"
	"strings"
	"testing"
)

// A property is a setting in the manifest of the VS Code extension.
type property struct {
	Type                 string
	Scope                string
	Enum                 []string
	Items                *property
	AdditionalProperties *property
}

// notInVSCode are the keys that the extension does not offer, with the reason.
var notInVSCode = map[string]string{
	"fail-on":  "it is about the exit code of tfmem check",
	"baseline": "an editor shows known findings, too",
	"extend":   "tfmem.configuration names the file below",
}

// TestVSCode holds the settings of the VS Code extension against the keys: each is offered, as the
// type that the settings editor can edit. A table there has only texts.
func TestVSCode(t *testing.T) {
	text, err := os.ReadFile("../../editors/vscode/package.json")
	if err != nil {
		t.Fatal(err)
	}
	var extension struct {
		Capabilities struct {
			UntrustedWorkspaces struct{ RestrictedConfigurations []string }
		}
		Contributes struct {
			Configuration struct{ Properties map[string]property }
		}
	}
	if err := json.Unmarshal(text, &extension); err != nil {
		t.Fatal(err)
	}
	all := extension.Contributes.Configuration.Properties
	for _, k := range Keys {
		p, ok := all["tfmem."+camel(k.Name)]
		if !ok {
			p, ok = all["tfmem.lint."+camel(k.Name)]
		}
		if ok == (notInVSCode[k.Name] != "") {
			t.Errorf("%s is offered: %v; why not: %q", k.Name, ok, notInVSCode[k.Name])
		}
		if !ok {
			continue
		}
		want, words := "string", p.Enum
		switch {
		case k.table:
			want, words = "object", nil
			if of := p.AdditionalProperties; of == nil || of.Type != "string" {
				t.Errorf("%s is not a table of texts", k.Name)
			} else {
				words = of.Enum
			}
		case k.list:
			want, words = "array", nil
			if p.Items == nil || p.Items.Type != "string" {
				t.Errorf("%s is not a list of texts", k.Name)
			} else {
				words = p.Items.Enum
			}
		}
		if p.Type != want {
			t.Errorf("%s is of the type %q, want %q", k.Name, p.Type, want)
		}
		var closed []string
		if k.closed {
			for _, c := range k.choices() {
				closed = append(closed, c.Text)
			}
		}
		if !slices.Equal(words, closed) {
			t.Errorf("%s is one of %q, want %q", k.Name, words, closed)
		}
	}
	for name := range all {
		key := kebab(strings.TrimPrefix(strings.TrimPrefix(name, "tfmem."), "lint."))
		if first, _, _ := strings.Cut(key, "."); LookupKey(key) == nil && !slices.Contains(onlyEditors, key) && !slices.Contains(ofClients, first) {
			t.Errorf("the server does not know %s", name)
		}
	}
	// A path that comes with a repository may lead anywhere.
	for _, key := range []string{"gpu", configurationKey} {
		name := "tfmem." + key
		if all[name].Scope != "machine" && !slices.Contains(extension.Capabilities.UntrustedWorkspaces.RestrictedConfigurations, name) {
			t.Errorf("%s counts in a workspace that is not trusted", name)
		}
	}
}
