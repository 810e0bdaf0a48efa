package main

import (
	"context"
	"fmt"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"time"

	sitter "github.com/smacker/go-tree-sitter"
	"github.com/smacker/go-tree-sitter/python"

	"github.com/tfmem/tfmem/analyzer"
	"github.com/tfmem/tfmem/analyzer/project"
	"github.com/tfmem/tfmem/rules"
)

// smallFile is the size in bytes of the files among which the slowest is looked for.
const smallFile = 50 << 10

// bare prints what a check of a tree costs beside what tree-sitter alone needs to parse the files
// that concern TensorFlow, and which small file takes longest.
func bare(tfmem, tree string, check time.Duration) error {
	out, err := exec.Command("sh", "-c", `cd "$1" && "$2" check --isolated --show-files .`, "sh", tree, tfmem).Output()
	if err != nil {
		return fmt.Errorf("listing the files: %w", err)
	}
	parser := sitter.NewParser()
	defer parser.Close()
	parser.SetLanguage(python.GetLanguage())
	var parse, slowest time.Duration
	var name string
	files, size := 0, 0
	for path := range strings.Lines(string(out)) {
		path = filepath.Join(tree, strings.TrimSpace(path))
		text, err := project.ReadFile(path, project.MaxSize)
		if err != nil {
			continue
		}
		programs, workspace, err := analyzer.Open(path, string(text), project.New(project.Disk{}, tree))
		if err != nil {
			continue
		}
		for _, program := range programs {
			start := cpu()
			file := analyzer.Analyze(program, analyzer.Config{Workspace: workspace})
			if !file.Relevant() {
				continue
			}
			rules.Check(file, rules.Selection{Select: []string{"ALL"}})
			if took := cpu() - start; took > slowest && len(text) <= smallFile {
				slowest, name = took, path
			}
			start = cpu()
			parsed, err := parser.ParseCtx(context.Background(), nil, []byte(program.Text()))
			if err != nil {
				return err
			}
			parsed.Close()
			parse += cpu() - start
			files, size = files+1, size+len(program.Text())
		}
	}
	if files == 0 {
		return nil
	}
	fmt.Printf("  bare parse of %d programs, %.1f MB: CPU %.2f s; check takes %.2f times as much\n", files, float64(size)/1e6, parse.Seconds(), check.Seconds()/parse.Seconds())
	fmt.Printf("  slowest file of at most %d KB: %.0f ms of CPU with its imports, %s\n", smallFile>>10, slowest.Seconds()*1e3, name)
	return nil
}

// cpu is the processor time that this process has taken.
func cpu() time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		return 0
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
