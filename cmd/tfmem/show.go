package main

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/tfmem/tfmem/analyzer/memory"
	"github.com/tfmem/tfmem/analyzer/source"
	"github.com/tfmem/tfmem/rules"
)

// list runs check --show-files.
func (c *check) list() error {
	paths, unread := c.files()
	for _, err := range unread {
		c.complain(err.Error())
	}
	for _, path := range paths {
		if _, err := fmt.Fprintln(c.out, source.Printable(path)); err != nil {
			return err
		}
	}
	return c.shown(len(unread), len(paths))
}

// explain runs check --show-settings: files with the same settings share a paragraph.
func (c *check) explain() error {
	paths, unread := c.files()
	for _, err := range unread {
		c.complain(err.Error())
	}
	paths, without := c.configure(paths)
	first := map[string]string{} // by settings in words
	count := map[string]int{}
	var all []string
	for _, path := range paths {
		text := c.configured[path].words(c.settings, path)
		if count[text]++; count[text] == 1 {
			first[text] = path
			all = append(all, text)
		}
	}
	for i, text := range all {
		if i > 0 {
			fmt.Fprintln(c.out)
		}
		which := first[text]
		if n := count[text]; n > 1 {
			which = fmt.Sprintf("%s and %d more", which, n-1)
		}
		if _, err := fmt.Fprintf(c.out, "%s:\n%s", source.Printable(which), source.PrintableLines(text)); err != nil {
			return err
		}
	}
	c.warnOfUnread()
	return c.shown(len(unread)+without, len(paths))
}

// shown ends a run that checks nothing.
func (c *check) shown(failed, told int) error {
	switch {
	case c.wrong, told == 0 && failed > 0:
		return exitCode(exitFailure)
	case failed > 0:
		return exitCode(exitFindings)
	}
	return nil
}

// words describes how a file is checked, a line per setting.
func (how configuration) words(c *configurator, path string) string {
	var b strings.Builder
	line := func(key, value string) { fmt.Fprintf(&b, "  %-10s %s\n", key, value) }
	line("settings", how.origin())
	var on []string
	for _, r := range rules.All {
		if how.Enabled(r) {
			code := r.Code
			if s, ok := how.Severity[r.Code]; ok {
				code += "=" + s.String()
			}
			on = append(on, code)
		}
	}
	for i, text := range wrap(strings.Join(on, " "), 76) {
		line([]string{"rules", ""}[min(i, 1)], text)
	}
	line("fail-on", how.least.String())
	line("gpu", describeDevices(how.Devices()))
	versions := how.Versions
	if c.workspace != nil {
		versions = c.workspace.Versions(path).Resolved(versions)
		line("tensorflow", versions.TensorFlow.String())
		line("keras", versions.Keras.String())
	}
	return b.String()
}

// origin names the settings file of a file.
func (how configuration) origin() string {
	if how.from == "" {
		return "none"
	}
	return fromHere(how.from)
}

func describeDevices(devices []memory.Device) string {
	if len(devices) == 0 {
		return "none"
	}
	var all []string
	for _, d := range devices {
		all = append(all, fmt.Sprintf("%s, %.1f GiB (%s)", d.Name, float64(d.Total)/(1<<30), d.Source))
	}
	return strings.Join(all, "; ")
}

// tellInputs prints for --verbose what the check goes by.
func (c *check) tellInputs(paths []string) {
	if !c.verbose {
		return
	}
	origins := map[string]int{}
	for _, path := range paths {
		origins[c.configured[path].origin()]++
	}
	c.remark(fmt.Sprintf("info: tfmem %s, %d files\n", release, len(paths)))
	for _, name := range slices.Sorted(maps.Keys(origins)) {
		c.remark(fmt.Sprintf("info: settings of %d files: %s\n", origins[name], name))
	}
	if len(paths) > 0 {
		c.remark("info: GPU of " + paths[0] + ": " + describeDevices(c.configured[paths[0]].Devices()) + "\n")
	}
}
