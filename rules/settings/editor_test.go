package settings

import (
	"errors"
	"fmt"
	"io/fs"
	"strings"
	"testing"

	"github.com/tfmem/tfmem/rules"
)

// TestEditor checks the result of merging an editor's settings with a project's: which rules run,
// which hints are shown, which GPU is named, and the mistakes.
func TestEditor(t *testing.T) {
	for _, c := range []struct{ what, file, editor, want string }{
		{"nothing", `ignore = ["TFM101"]`, `{}`, "TFM108 gpu= hints="},
		{"the editor first", "ignore = [\"TFM101\"]\ngpu = \"A\"", `{"extend-select": ["TFM101"], "gpu": "B"}`, "TFM101 TFM108 gpu=B by the editor's settings hints="},
		{"camel case, and others' tables", "", `{"lint": {"ignore": ["TFM101"]}, "inlayHints": ["memory"]}`, "TFM108 gpu= hints=memory"},
		{"files first", "ignore = [\"TFM101\"]\ngpu = \"A\"", `{"configurationPreference": "filesystemFirst", "extendSelect": ["TFM101"], "gpu": "B", "inlayHints": []}`, "TFM108 gpu=A by tfmem.toml hints="},
		{"files do not count", `ignore = ["TFM101"]`, `{"configurationPreference": "editorOnly", "ignore": ["TFM108"]}`, "TFM101 gpu= hints="},
		{"a severity over one that is off", "[severity]\nTFM1 = \"off\"", `{"severity": {"TFM101": "hint"}}`, "TFM101:hint gpu= hints="},
		{"off over a severity", "[severity]\nTFM101 = \"error\"", `{"severity": {"TFM1": "off", "TFM108": "error"}}`, "TFM101:error TFM108:error gpu= hints="},
		{"patterns of the folder", "", `{"perFileIgnores": {"src/*.py": ["TFM108"]}}`, "TFM101 gpu= hints="},
		{"patterns of the folder, as texts", "", `{"perFileIgnores": {"src/*.py": "TFM108, TFM2", "tests": ""}}`, "TFM101 gpu= hints="},
		{"values that are assumed", "", `{"assume": {"a.csv": "columns=30, rows=9", "n": "8_000", "m": 7, "x": {"shape": ["None", 28]}, "y": "shape=(None, 28)", "s": "text", "b": "rows=x"}}`,
			"TFM101 TFM108 gpu= hints=\n\"a.csv\" columns=30\n\"a.csv\" rows=9\n\"m\" value=7\n\"n\" value=8000\n\"s\" value=\"text\"\n\"x\" shape=(None, 28)\n\"y\" shape=(None, 28)\nassume: \"b\": rows is a number, such as rows=30"},
		{"another file below", `ignore = ["TFM108"]`, `{"configuration": "shared.toml"}`, "gpu=S by shared.toml hints="},
		{"what concerns the client", "", `{"enable": false, "path": "/x", "trace": {"server": "off"}, "logLevel": "debug", "tfmemCommands": [], "tfmemPanel": true, "select": null}`, "TFM101 TFM108 gpu= hints="},
		{"what an editor is told of", "", `{"diagnosticMode": "everything"}`, "TFM101 TFM108 gpu= hints=\ndiagnosticMode: \"everything\" is not one of openFilesOnly, workspace"},
		{"mistakes", "", `{"selct": ["TFM1"], "perFileIgnroes": {"a": [], "b": []}, "gpu": 3, "severity": {"TFM101": "hint", "TFM108": "loud"}, "configurationPreference": "files", "configuration": "none.toml", "extend": "x"}`,
			"TFM101:hint TFM108 gpu= hints=\nconfigurationPreference: \"files\" is not one of editorFirst, filesystemFirst, editorOnly\n" +
				"extend is for settings files; the key that names one here is configuration\ngpu is a string between quotes, such as\ngpu = \"RTX 3090\"\n" +
				"unknown key \"perFileIgnroes\"; did you mean perFileIgnores?\nunknown key \"selct\"; did you mean select?\n" +
				"severity: \"loud\" is not one of error, warning, information, hint or off\nconfiguration of the editor's settings: /p/none.toml: the settings cannot be read: file does not exist"},
		{"no object", "", `[1]`, "TFM101 TFM108 gpu= hints=\nthey are not a JSON object"},
	} {
		f := &Finder{
			GPU: func(setting, _, _ string) (string, error) { return setting, nil },
			Read: func(path string) ([]byte, error) {
				switch path {
				case "/p/tfmem.toml":
					return []byte(c.file), nil
				case "/p/shared.toml":
					return []byte("ignore = [\"TFM101\"]\ngpu = \"S\""), nil
				}
				return nil, fs.ErrNotExist
			},
		}
		files, err := f.For("/p/src/a.py")
		if err != nil {
			t.Fatalf("%s: %v", c.what, err)
		}
		e, mistakes := f.Editor([]byte(c.editor), "/p")
		s := e.With(files)
		var got []string
		selection := s.Selection("/p/src/a.py")
		for _, code := range []string{"TFM101", "TFM108"} {
			if !selection.Enabled(rules.Lookup(code)) {
				continue
			}
			if severity, ok := selection.Severity[code]; ok {
				code += ":" + severity.String()
			}
			got = append(got, code)
		}
		assumed := s.Assume.String()
		gpu := "gpu=" + s.GPU
		if s.GPU != "" {
			gpu += " by " + s.GPUFrom
		}
		text := strings.Join(append(got, gpu, "hints="+strings.Join(s.InlayHints, ",")), " ")
		if assumed != "" {
			text += "\n" + strings.ReplaceAll(strings.TrimSpace(assumed), " "+inEditor, "")
		}
		for _, m := range mistakes {
			text += "\n" + strings.TrimPrefix(fmt.Sprint(m), inEditor+": ")
			var at *Error
			if errors.As(m, &at) && at.Line != 0 {
				t.Errorf("%s: %v has a line", c.what, m)
			}
		}
		if text != c.want {
			t.Errorf("%s:\n%s\nwant\n%s", c.what, text, c.want)
		}
	}
}
