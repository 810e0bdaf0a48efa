package settings

import (
	"encoding/json"
	"os"
	"slices"
	"strings"
	"testing"
)

// A property is a setting that a client offers.
type property struct {
	Type                 string
	Scope                string
	Enum                 []string
	Items                *property
	AdditionalProperties *property
}

// notOffered are the keys that a client's settings leave out, with the reason.
var notOffered = map[string]map[string]string{
	"VS Code": {
		"fail-on":  "it is about the exit code of tfmem check",
		"baseline": "tfmem check must know the same findings: it is for settings files",
		"observed": "tfmem check must know the same values: it is for settings files",
		"extend":   "tfmem.configuration names the file below",
	},
	"JupyterLab": {
		"fail-on":     "it is about the exit code of tfmem check",
		"baseline":    "tfmem check must know the same findings: it is for settings files",
		"observed":    "tfmem check must know the same values: it is for settings files",
		"extend":      "it is for settings files",
		"exclude":     "only open documents are looked at",
		"inlay-hints": "CodeMirror shows none",
	},
}

// holdSettings holds the settings that a client offers against the keys: each is there, as a type
// that the client's settings editor can edit. A table there has only texts.
func holdSettings(t *testing.T, client string, find func(camel string) (property, bool)) {
	for _, k := range Keys {
		why := notOffered[client][k.Name]
		p, ok := find(camel(k.Name))
		if ok == (why != "") {
			t.Errorf("%s: %s is offered: %v; why not: %q", client, k.Name, ok, why)
		}
		if !ok {
			continue
		}
		want, words := "string", p.Enum
		of := p.Items
		switch {
		case k.table:
			want, of = "object", p.AdditionalProperties
		case k.list:
			want = "array"
		default:
			of = nil
		}
		if want != "string" {
			if of == nil || of.Type != "string" {
				t.Errorf("%s: %s does not hold texts", client, k.Name)
				continue
			}
			words = of.Enum
		}
		if p.Type != want {
			t.Errorf("%s: %s is of the type %q, want %q", client, k.Name, p.Type, want)
		}
		var closed []string
		if k.closed {
			for _, c := range k.choices() {
				closed = append(closed, c.Text)
			}
		}
		if !slices.Equal(words, closed) {
			t.Errorf("%s: %s is one of %q, want %q", client, k.Name, words, closed)
		}
	}
}

// manifest reads a JSON file of an editor.
func manifest(t *testing.T, path string, into any) {
	text, err := os.ReadFile("../../editors/" + path)
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(text, into); err != nil {
		t.Fatal(err)
	}
}

func TestJupyterLab(t *testing.T) {
	var schema struct{ Properties map[string]property }
	manifest(t, "jupyterlab/schema/plugin.json", &schema)
	holdSettings(t, "JupyterLab", func(name string) (property, bool) {
		p, ok := schema.Properties[name]
		return p, ok
	})
	for name := range schema.Properties {
		if name != "lines" && LookupKey(kebab(name)) == nil {
			t.Errorf("the server does not know %s", name)
		}
	}
}

func TestVSCode(t *testing.T) {
	var extension struct {
		Capabilities struct {
			UntrustedWorkspaces struct{ RestrictedConfigurations []string }
		}
		Contributes struct {
			Configuration struct{ Properties map[string]property }
		}
	}
	manifest(t, "vscode/package.json", &extension)
	all := extension.Contributes.Configuration.Properties
	holdSettings(t, "VS Code", func(name string) (property, bool) {
		p, ok := all["tfmem."+name]
		if !ok {
			p, ok = all["tfmem.lint."+name]
		}
		return p, ok
	})
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
