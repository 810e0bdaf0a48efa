package main

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"time"
)

// trees runs linters over the folders of -trees, cold and warm, and prints what each takes. A
// linter is its binary; one whose flag is empty is left out. Exit codes say what was found, and do
// not count. What check takes is also compared with a bare parse.
func trees(o options, servers []server) error {
	scratch, err := os.MkdirTemp("", "tfmem-bench-trees")
	if err != nil {
		return err
	}
	defer os.RemoveAll(scratch)
	caches := filepath.Join(scratch, "cache")
	linters := []struct {
		name    string
		command []string
	}{
		{"tfmem", []string{servers[0].command[0], "check", "--isolated", "--select", "ALL", "--cache-dir", caches}},
		{"ruff", []string{o.ruff, "check", "--isolated", "--cache-dir", caches}},
		{"flake8", []string{o.flake8, "--isolated"}},
		{"pylint", []string{o.pylint, "--recursive=y", "--rcfile=" + os.DevNull, "--load-plugins=" + o.pylintPlugins}},
		{"semgrep", []string{o.semgrep, "scan", "--metrics=off", "--config=" + o.semgrepRules}},
	}
	for _, tree := range strings.FieldsFunc(o.trees, func(r rune) bool { return r == ',' }) {
		fmt.Println(tree)
		var check time.Duration // of tfmem, cold
		for _, l := range linters {
			if l.command[0] == "" {
				continue
			}
			if err := os.RemoveAll(caches); err != nil {
				return err
			}
			for _, how := range []string{"cold", "warm"} {
				cmd := exec.Command(l.command[0], append(l.command[1:], ".")...)
				cmd.Dir = tree
				cmd.Env = append(os.Environ(), "XDG_CACHE_HOME="+caches, "PYLINTHOME="+caches)
				start := time.Now()
				err := cmd.Run()
				var exit *exec.ExitError
				if err != nil && !errors.As(err, &exit) {
					return err
				}
				wall := time.Since(start)
				peak := "-"
				if u, ok := cmd.ProcessState.SysUsage().(*syscall.Rusage); ok {
					peak = fmt.Sprintf("%.0f MB", float64(u.Maxrss)*1024/1e6)
				}
				cpu := cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()
				if l.name == "tfmem" && how == "cold" {
					check = cpu
				}
				fmt.Printf("  %-8s %s  wall %7.2f s  CPU %7.2f s  peak %s  exit %d\n", l.name, how, wall.Seconds(), cpu.Seconds(), peak, cmd.ProcessState.ExitCode())
			}
		}
		if err := bare(servers[0].command[0], tree, check); err != nil {
			return err
		}
	}
	return nil
}
