package main

import (
	"encoding/csv"
	"encoding/json"
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/licensecheck"

	"github.com/tfmem/tfmem/analyzer/cases"
)

// copied is what modules hold of others' code, without a file that has its licence.
var copied = [][]string{
	{"NVIDIA's nvml.h", "in github.com/NVIDIA/go-nvml", "LicenseRef-NVIDIA-NVML", "pkg/nvml/nvml.h"}, // its first comment
	{"tree-sitter", "in github.com/smacker/go-tree-sitter", "MIT", "https://github.com/tree-sitter/tree-sitter/blob/master/LICENSE"},
	{"tree-sitter-python", "in github.com/smacker/go-tree-sitter", "MIT", "https://github.com/tree-sitter/tree-sitter-python/blob/master/LICENSE"},
	{"ICU headers of tree-sitter", "in github.com/smacker/go-tree-sitter", "Unicode-DFS-2016", "http://www.unicode.org/copyright.html"},
}

// TestLicenses holds licenses.csv, which names the licence of each module that tfmem and
// tfmem-nvml link on any system, and the files of the module that state it, against the
// modules themselves.
func TestLicenses(t *testing.T) {
	rows := slices.Concat(copied, [][]string{{"Go's standard library", "", "BSD-3-Clause", "https://go.dev/LICENSE"}})
	seen := map[string]bool{}
	for _, system := range []string{"linux", "darwin", "windows"} {
		for _, m := range linked(t, system) {
			if !m.Main && !seen[m.Path] {
				seen[m.Path] = true
				names, files := licenceOf(t, m.Dir)
				rows = append(rows, []string{m.Path, m.Version, names, files})
			}
		}
	}
	if len(seen) < 20 {
		t.Fatalf("only %d modules are linked", len(seen))
	}
	slices.SortFunc(rows, slices.Compare)
	var b strings.Builder
	w := csv.NewWriter(&b)
	if err := w.WriteAll(slices.Insert(rows, 0, []string{"module", "version", "licence", "files"})); err != nil {
		t.Fatal(err)
	}
	cases.Golden(t, "licenses.csv", b.String())
}

type module struct {
	Path, Version, Dir string
	Main               bool
}

// linked are the modules that the programs link on a system, once for each package.
func linked(t *testing.T, system string) (out []module) {
	t.Helper()
	cmd := exec.Command("go", "list", "-deps", "-json=Module", ".", "../tfmem-nvml")
	cmd.Env = append(os.Environ(), "GOOS="+system, "CGO_ENABLED=1", "GOFLAGS=")
	cmd.Stderr = os.Stderr
	list, err := cmd.Output()
	if err != nil {
		t.Fatalf("%v: %v", cmd, err)
	}
	for d := json.NewDecoder(strings.NewReader(string(list))); ; {
		var p struct{ Module *module }
		if err := d.Decode(&p); errors.Is(err, io.EOF) {
			return out
		} else if err != nil {
			t.Fatal(err)
		}
		if p.Module != nil {
			out = append(out, *p.Module)
		}
	}
}

var (
	licenceFile = regexp.MustCompile(`(?i)^(licen[cs]e|copying|notice|patents)([.-].*)?$`)
	beside      = regexp.MustCompile(`(?i)^(notice|patents)`) // what goes with a licence, and is none
)

// licenceOf are the SPDX names of the licences that the files of a module hold, and these
// files. A text that is nearly all no known licence is an error: somebody must read it.
func licenceOf(t *testing.T, folder string) (licences, files string) {
	t.Helper()
	entries, err := os.ReadDir(folder)
	if err != nil {
		t.Fatal(err)
	}
	var names, in []string
	for _, e := range entries {
		if !licenceFile.MatchString(e.Name()) || filepath.Ext(e.Name()) == ".go" {
			continue
		}
		in = append(in, e.Name())
		if beside.MatchString(e.Name()) {
			continue
		}
		text, err := os.ReadFile(filepath.Join(folder, e.Name()))
		if err != nil {
			t.Fatal(err)
		}
		found := licensecheck.Scan(text)
		for _, m := range found.Match {
			if !m.IsURL {
				names = append(names, m.ID)
			}
		}
		if found.Percent < 75 {
			t.Errorf("%s/%s: %.0f %% of it is a licence that is known: %v", folder, e.Name(), found.Percent, names)
		}
	}
	if len(names) == 0 {
		t.Errorf("%s: its licence is not known", folder)
	}
	slices.Sort(names)
	return strings.Join(slices.Compact(names), " AND "), strings.Join(in, " ")
}
