package settings

import (
	"errors"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"
)

// TestInside checks that a path which a settings file may not name is rejected unread, with the
// place and the key. A settings file above counts as found.
func TestInside(t *testing.T) {
	f := finder(txtar.Parse([]byte(`
-- tfmem.toml --
ignore = ["TFM101"]
-- base.toml --
ignore = ["TFM102"]
-- linked/tfmem.toml --
ignore = ["TFM103"]
-- above/a/tfmem.toml --
extend = "../../tfmem.toml"
-- beside/tfmem.toml --
extend = "own.toml"
-- beside/own.toml --
-- out/tfmem.toml --
fail-on = "error"
extend = "../base.toml"
-- other/tfmem.toml --
extend = "../beside/tfmem.toml"
-- gpu/tfmem.toml --
gpu = "../lab.json"
-- chain/tfmem.toml --
extend = "c.toml"
-- chain/c.toml --
extend = "../base.toml"
`)).Files)
	var read []string
	all := f.Read
	f.Read = func(path string) ([]byte, error) {
		read = append(read, show(path))
		return all(path)
	}
	f.Inside = func(file, path string) error {
		if linked := show(path) == "linked/tfmem.toml"; linked || !strings.HasPrefix(path, filepath.Dir(file)+string(filepath.Separator)) {
			return &fs.PathError{Op: "read", Path: path, Err: errors.New("it lies outside")}
		}
		return nil
	}
	f.GPU = func(setting, folder, file string) (string, error) {
		if err := f.Inside(file, filepath.Join(folder, setting)); err != nil {
			return "", err
		}
		return setting, nil
	}
	for _, c := range []struct{ file, wrong, unread string }{
		{"x.py", "", ""},
		{"above/a/x.py", "", ""},
		{"beside/x.py", "", ""},
		{"linked/x.py", "linked/tfmem.toml: the settings cannot be read: it lies outside", "linked/tfmem.toml"},
		{"out/x.py", "out/tfmem.toml:2:1: extend: cannot read base.toml: it lies outside", "base.toml"},
		{"other/x.py", "other/tfmem.toml:1:1: extend: cannot read beside/tfmem.toml: it lies outside", "beside/tfmem.toml"},
		{"gpu/x.py", "gpu/tfmem.toml:1:7: gpu: read " + filepath.Join(root, "lab.json") + ": it lies outside", "lab.json"},
		{"chain/x.py", "chain/c.toml:1:1: extend: cannot read base.toml: it lies outside", "base.toml"},
	} {
		read = nil
		_, err := f.For(filepath.Join(root, c.file))
		got := ""
		if err != nil {
			got = err.Error()
		}
		if got != c.wrong {
			t.Errorf("%s: %q is wrong, want %q", c.file, got, c.wrong)
		}
		if c.unread != "" && slices.Contains(read, c.unread) {
			t.Errorf("%s: %s is read", c.file, c.unread)
		}
	}
}
