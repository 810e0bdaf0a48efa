package main

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/spf13/cobra"
)

// TestAgents holds the pages for coding agents against the commands: each that they show has a name, and
// flags, that there are, and what they link is there.
func TestAgents(t *testing.T) {
	word := regexp.MustCompile(`"[^"]*"|\S+`)
	for _, page := range []string{"SKILL.md", "llms.txt", "README.md"} {
		folder := filepath.Join("..", "..", "editors", "agents")
		text, err := os.ReadFile(filepath.Join(folder, page))
		if err != nil {
			t.Fatal(err)
		}
		shown := 0
		for _, m := range regexp.MustCompile("`tfmem ([^`]+)`").FindAllStringSubmatch(string(text), -1) {
			args := word.FindAllString(m[1], -1)
			for i, a := range args {
				args[i] = strings.Trim(a, `"`)
			}
			shown++
			cmd, rest, err := newRoot().Find(args)
			if err != nil || cmd.Name() != args[0] {
				t.Errorf("%s: tfmem %s: there is no such command: %v", page, m[1], err)
				continue
			}
			if err := cmd.ParseFlags(rest); err != nil {
				t.Errorf("%s: tfmem %s: %v", page, m[1], err)
			}
			if format := cmd.Flags().Lookup("output-format"); format != nil && format.Changed && format.Value.String() != "json" {
				t.Errorf("%s: tfmem %s: agents read JSON", page, m[1])
			}
		}
		if shown < 2 {
			t.Errorf("%s shows %d commands", page, shown)
		}
		for _, m := range regexp.MustCompile(`\]\(([^)#:]+)\)`).FindAllStringSubmatch(string(text), -1) {
			if _, err := os.Stat(filepath.Join(folder, m[1])); err != nil {
				t.Errorf("%s: %v", page, err)
			}
		}
		for _, m := range regexp.MustCompile("(?:^|[ `(])(--[a-z][a-z-]+)").FindAllStringSubmatch(string(text), -1) {
			if !slices.ContainsFunc(newRoot().Commands(), func(c *cobra.Command) bool { return c.Flags().Lookup(m[1][2:]) != nil }) {
				t.Errorf("%s: no command has %s", page, m[1])
			}
		}
	}
}
