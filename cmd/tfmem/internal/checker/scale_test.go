package checker

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"testing"

	"github.com/tfmem/tfmem/analyzer"
	"github.com/tfmem/tfmem/analyzer/project"
)

// shapes are projects of n modules beside, where they have one, the file that imports all: by
// how module i imports others.
var shapes = map[string]struct {
	imports func(i, n int) string
	main    func(n int) string
}{
	"ring":          {imports: func(i, n int) string { return fmt.Sprintf("import m%d\n", (i+1)%n) }},
	"ring of stars": {imports: func(i, n int) string { return fmt.Sprintf("from m%d import *\n", (i+1)%n) }},
	"chain":         {imports: func(i, n int) string { return fmt.Sprintf("import m%d\n", i+1) }},
	"one imports all": {main: func(n int) string {
		return every(n, func(j int) string { return fmt.Sprintf("import m%d\nm%d.g(1)\n", j, j) })
	}},
	"one stars all": {main: func(n int) string {
		return every(n, func(j int) string { return fmt.Sprintf("from m%d import *\n", j) })
	}},
	"all import one":   {imports: func(i, n int) string { return "import m0\nm0.g(1)\n" }},
	"all import all":   {imports: func(i, n int) string { return every(n, func(j int) string { return fmt.Sprintf("import m%d\n", j) }) }},
	"none imports any": {imports: func(i, n int) string { return "" }},
}

func every(n int, line func(int) string) string {
	var b strings.Builder
	for j := range n {
		b.WriteString(line(j))
	}
	return b.String()
}

// A cost is what checking a project takes.
type cost struct {
	bytes     int // of its files
	counts    project.Counts
	allocated uint64
}

// costOf checks a project of n modules.
func costOf(t *testing.T, shape string, n int) (c cost) {
	t.Helper()
	folder := t.TempDir()
	var paths []string
	write := func(name, text string) {
		path := filepath.Join(folder, name)
		if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
		paths, c.bytes = append(paths, path), c.bytes+len(text)
	}
	s := shapes[shape]
	for i := range n {
		text := "import tensorflow as tf\n"
		if s.imports != nil {
			text += s.imports(i, n)
		}
		write(fmt.Sprintf("m%d.py", i), text+"\n\ndef f(x):\n    return tf.reduce_sum(x)\n\n\ndef g(x):\n    tf.config.list_physical_devices('GPU')\n    return f(x)\n")
	}
	if s.main != nil {
		write("main.py", "import tensorflow as tf\n"+s.main(n))
	}
	workspace := project.New(project.Disk{}, folder)
	checker := Checker{Config: analyzer.Config{Workspace: workspace}, Read: ReadFile}
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	for _, r := range checker.Run(paths) {
		if r.Err != nil {
			t.Error(r.Err)
		}
	}
	runtime.ReadMemStats(&after)
	c.counts, c.allocated = workspace.Counts(), after.TotalAlloc-before.TotalAlloc
	return c
}

// TestScale: of a project each file is read, parsed and resolved no more often the more there
// are of them, whatever imports what. TFMEM_TEST_SCALE says of how many modules the
// smallest of the three projects of each shape is.
func TestScale(t *testing.T) {
	n := 20
	if v := os.Getenv("TFMEM_TEST_SCALE"); v != "" {
		var err error
		if n, err = strconv.Atoi(v); err != nil {
			t.Fatal(err)
		}
	}
	for shape := range shapes {
		t.Run(shape, func(t *testing.T) {
			for _, n := range []int{n, 2 * n, 4 * n} {
				c := costOf(t, shape, n)
				files := n
				if shapes[shape].main != nil {
					files++
				}
				t.Logf("%d files of %d bytes: %+v, %d bytes are allocated, %.0f for each", files, c.bytes, c.counts, c.allocated, float64(c.allocated)/float64(c.bytes))
				// A file that is imported is read for that, too, and resolved as a module.
				if c.counts.Read > files || c.counts.Parsed > files || c.counts.Resolved > 2*files {
					t.Errorf("for %d files it is %+v", files, c.counts)
				}
			}
		})
	}
}
