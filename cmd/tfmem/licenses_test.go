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
var copied = [][4]string{
	{"NVIDIA's nvml.h", "in github.com/NVIDIA/go-nvml", "LicenseRef-NVIDIA-NVML", "pkg/nvml/nvml.h"}, // its first comment
	{"tree-sitter", "in github.com/smacker/go-tree-sitter", "MIT", "https://github.com/tree-sitter/tree-sitter/blob/master/LICENSE"},
	{"tree-sitter-python", "in github.com/smacker/go-tree-sitter", "MIT", "https://github.com/tree-sitter/tree-sitter-python/blob/master/LICENSE"},
	{"ICU headers of tree-sitter", "in github.com/smacker/go-tree-sitter", "Unicode-DFS-2016", "http://www.unicode.org/copyright.html"},
}

// TestLicenses holds licenses.csv against the modules themselves: of each module that tfmem,
// tfmem-nvml and tfmem-mcp link on any system it names the licence, the files of the module that state it, and who
// imports it, our packages or other modules.
func TestLicenses(t *testing.T) {
	var rows [][]string
	for _, c := range copied {
		rows = append(rows, append(c[:], ""))
	}
	rows = append(rows, []string{"Go's standard library", "", "BSD-3-Clause", "https://go.dev/LICENSE", ""})
	modules, importers := map[string]*module{}, map[string][]string{}
	for _, system := range []string{"linux", "darwin", "windows"} {
		packages := linked(t, system, ".", "../tfmem-nvml", "../tfmem-mcp")
		of := map[string]*module{}
		for _, p := range packages {
			of[p.ImportPath] = p.Module
		}
		for _, p := range packages {
			if p.Module == nil {
				continue
			}
			by := p.Module.Path
			if p.Module.Main {
				by = strings.TrimPrefix(p.ImportPath, p.Module.Path+"/")
			}
			for _, path := range p.Imports {
				if m := of[path]; m != nil && !m.Main && m.Path != by {
					modules[m.Path] = m
					importers[m.Path] = append(importers[m.Path], by)
				}
			}
		}
	}
	if len(modules) < 20 {
		t.Fatalf("only %d modules are linked", len(modules))
	}
	for path, m := range modules {
		names, files := licenceOf(t, m.Dir)
		by := importers[path]
		slices.Sort(by)
		rows = append(rows, []string{path, m.Version, names, files, strings.Join(slices.Compact(by), " ")})
	}
	slices.SortFunc(rows, slices.Compare)
	var b strings.Builder
	w := csv.NewWriter(&b)
	if err := w.WriteAll(slices.Insert(rows, 0, []string{"module", "version", "licence", "files", "importers"})); err != nil {
		t.Fatal(err)
	}
	cases.Golden(t, "licenses.csv", b.String())
}

// TestSize holds what a stripped tfmem may be, in bytes, and that it opens no connection: net/http is 4.5 MB,
// and its certificates need a framework of Apple that no other system can link.
func TestSize(t *testing.T) {
	const most = 31_600_000 // plans, probes and what they told took 0.9 MB, the sources of KerasHub, Addons and segmentation_models 0.1, plans of other modules 0.1
	for _, system := range []string{"linux", "darwin", "windows"} {
		for _, p := range linked(t, system, ".") {
			if p.ImportPath == "net/http" || p.ImportPath == "crypto/x509" {
				t.Errorf("%s: tfmem links %s", system, p.ImportPath)
			}
		}
	}
	if testing.Short() {
		t.Skip("links tfmem")
	}
	program := filepath.Join(t.TempDir(), "tfmem")
	build := exec.Command("go", "build", "-ldflags", "-s -w", "-o", program, ".")
	build.Env = append(os.Environ(), "GOFLAGS=") // under -race the race detector is linked, too
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	info, err := os.Stat(program)
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("%.1f MB", float64(info.Size())/1e6)
	if info.Size() > most {
		t.Errorf("tfmem has %d bytes, which is more than %d; licenses.csv says who imports what", info.Size(), most)
	}
}

type module struct {
	Path, Version, Dir string
	Main               bool
}

type linkedPackage struct {
	ImportPath string
	Imports    []string
	Module     *module // nil in the standard library
}

// linked are the packages that programs link on a system.
func linked(t *testing.T, system string, programs ...string) (out []linkedPackage) {
	t.Helper()
	cmd := exec.Command("go", append([]string{"list", "-deps", "-json=ImportPath,Imports,Module"}, programs...)...)
	cmd.Env = append(os.Environ(), "GOOS="+system, "CGO_ENABLED=1", "GOFLAGS=")
	cmd.Stderr = os.Stderr
	list, err := cmd.Output()
	if err != nil {
		t.Fatalf("%v: %v", cmd, err)
	}
	for d := json.NewDecoder(strings.NewReader(string(list))); ; {
		var p linkedPackage
		if err := d.Decode(&p); errors.Is(err, io.EOF) {
			return out
		} else if err != nil {
			t.Fatal(err)
		}
		out = append(out, p)
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
