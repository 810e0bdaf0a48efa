// Command bench plays editing sessions to language servers over their standard input and
// output, and prints what each takes: from a change to its diagnostics, memory, CPU; and
// how long tfmem takes to price a model of 10,000 layers.
// tfmem's server is built from the repository; others are measured beside it, in the
// same run, where they are named:
//
//	go run ./testdata/bench
//	go run ./testdata/bench -ruff ruff -pyright pyright-langserver -only 2000,notebook
//
// On folders of code it compares tfmem check with other linters, cold and warm, and with a bare
// parse of the files that concern TensorFlow:
//
//	go run ./testdata/bench -only trees -trees FOLDER,FOLDER -ruff ruff -flake8 flake8 -pylint pylint -pylint-plugins dslinter
//
// Every server is sent the same texts and edits. An edit changes what each of them has
// to say: it moves, on one of many lines of the text, a name that is not defined and a
// deprecated call behind it. The numbers are for people to compare side by side; no
// test depends on them.
package main

import (
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// options are what the command line says.
type options struct {
	edits  int
	memory int
	files  int
	scan   string
	gpu    string
	seed   uint64

	trees, ruff, pylint, pylintPlugins, flake8, semgrep, semgrepRules string
}

// A server is a program to be measured.
type server struct {
	name    string
	command []string
	env     []string
	ours    bool
}

func main() {
	var o options
	tfmem := flag.String("tfmem", "", "the tfmem `binary`; it is built where none is named")
	flag.StringVar(&o.ruff, "ruff", "", "ruff's `binary`, to be measured as well")
	flag.StringVar(&o.trees, "trees", "", "`folders` that linters check, separated by commas")
	flag.StringVar(&o.pylint, "pylint", "", "pylint's `binary`, to be measured on these")
	flag.StringVar(&o.pylintPlugins, "pylint-plugins", "", "the `plugins` that pylint loads, such as dslinter")
	flag.StringVar(&o.flake8, "flake8", "", "flake8's `binary`, likewise")
	flag.StringVar(&o.semgrep, "semgrep", "", "semgrep's `binary`, likewise")
	flag.StringVar(&o.semgrepRules, "semgrep-rules", "", "the `file` of the rules that semgrep runs")
	pyright := flag.String("pyright", "", "pyright's language server, pyright-langserver, to be measured as well")
	only := flag.String("only", "", "the `parts` to run, separated by commas: initialize, 2000, 20000, notebook, scan, memory, estimate, trees")
	flag.IntVar(&o.edits, "edits", 300, "edits of a session")
	flag.IntVar(&o.memory, "memory-edits", 100_000, "edits between which tfmem's memory is compared")
	flag.IntVar(&o.files, "files", 500, "files of the workspace that is scanned")
	flag.StringVar(&o.scan, "scan", "pull", "how: pull asks for workspace/diagnostic where a server offers it, open opens every file")
	flag.StringVar(&o.gpu, "gpu", "24GiB", "the GPU that tfmem weighs models against, `none` for none")
	flag.Uint64Var(&o.seed, "seed", 1, "of the random places")
	flag.Parse()
	if err := run(o, *tfmem, *pyright, *only); err != nil {
		fmt.Fprintln(os.Stderr, "error:", err)
		os.Exit(1)
	}
}

func run(o options, tfmem, pyright, only string) error {
	if tfmem == "" {
		folder, err := os.MkdirTemp("", "tfmem-bench")
		if err != nil {
			return err
		}
		defer os.RemoveAll(folder)
		tfmem = filepath.Join(folder, "tfmem")
		if out, err := exec.Command("go", "build", "-o", tfmem, "./cmd/tfmem").CombinedOutput(); err != nil {
			return fmt.Errorf("tfmem cannot be built, from the root of the repository: %w\n%s", err, out)
		}
	}
	servers := []server{{"tfmem", []string{tfmem, "server"}, []string{"TFMEM_GPU=" + o.gpu}, true}}
	if o.ruff != "" {
		servers = append(servers, server{name: "ruff", command: []string{o.ruff, "server"}})
	}
	if pyright != "" {
		servers = append(servers, server{name: "pyright", command: []string{pyright, "--stdio"}})
	}
	for _, part := range []struct {
		name string
		run  func(options, []server) error
	}{
		{"initialize", initialize}, {"2000", lines(2000)}, {"20000", lines(20_000)}, {"notebook", cells(60)}, {"scan", scan}, {"memory", memory}, {"estimate", estimates}, {"trees", trees},
	} {
		if only != "" && !slices.Contains(strings.Split(only, ","), part.name) {
			continue
		}
		if err := part.run(o, servers); err != nil {
			return fmt.Errorf("%s: %w", part.name, err)
		}
	}
	return nil
}

// quantile is the time that a part q of all stays below.
func quantile(times []time.Duration, q float64) string {
	if len(times) == 0 {
		return "-"
	}
	slices.Sort(times)
	return fmt.Sprintf("%.2f ms", times[int(q*float64(len(times)-1))].Seconds()*1e3)
}
