package main

import (
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"github.com/tfmem/tfmem/analyzer/source"
	"github.com/tfmem/tfmem/cmd/tfmem/internal/report"
	"github.com/tfmem/tfmem/rules/settings"
	"github.com/tfmem/tfmem/rules/suggest"
)

// configFormats are the formats of config, the default first.
var configFormats = []string{"text", "json", "schema"}

func newConfig() *cobra.Command {
	var format string
	cmd := &cobra.Command{
		Use:   "config [KEY]",
		Short: "Explain what settings files can say",
		Long: `Explain the keys of tfmem.toml, of .tfmem.toml and of [tool.tfmem] in
pyproject.toml, or one of them.

The settings of a Python file are those of the nearest folder, at or above its
own, that has any; of several files in one folder .tfmem.toml counts before
tfmem.toml, and that before pyproject.toml.

Of tensorflow and keras it is also told which versions the files of the working
folder are understood in, and who says so.`,
		Example: `  tfmem config             all keys
  tfmem config severity    one of them`,
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := oneOf("--output-format", format, configFormats); err != nil {
				return err
			}
			chosen := settings.Keys
			switch {
			case len(args) > 1:
				return usagef("name one key, or none for all")
			case len(args) == 1:
				k := settings.LookupKey(args[0])
				if k == nil {
					return usagef("there is no key %q%s", args[0], suggest.DidYouMean(args[0], settings.KeyNames()))
				}
				chosen = []settings.Key{*k}
			}
			if format == "schema" {
				if len(args) > 0 {
					return usagef("the schema is that of all keys; leave out %q", args[0])
				}
				return report.WriteJSON(cmd.OutOrStdout(), settings.Schema())
			}
			here := versionsHere(cmd.ErrOrStderr())
			if format == "text" {
				return writeKeys(cmd.OutOrStdout(), chosen, here)
			}
			list := make([]jsonKey, len(chosen))
			for i, k := range chosen {
				list[i] = jsonKey{k.Name, k.Type, k.Default, k.Meaning, k.Example, here[k.Name]}
			}
			if len(args) == 1 {
				return report.WriteJSON(cmd.OutOrStdout(), list[0])
			}
			return report.WriteJSON(cmd.OutOrStdout(), list)
		},
		ValidArgsFunction: func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
			return settings.KeyNames(), cobra.ShellCompDirectiveNoFileComp
		},
	}
	cmd.Flags().StringVar(&format, "output-format", configFormats[0], "the `format`: text, json, or schema for a JSON schema that editors complete tfmem.toml by")
	return cmd
}

// A jsonKey is a key's documentation: the meaning is Markdown, the example lines of tfmem.toml.
type jsonKey struct {
	Name    string `json:"name"`
	Type    string `json:"type"`
	Default string `json:"default"`
	Meaning string `json:"meaning"`
	Example string `json:"example"`
	Here    string `json:"here,omitempty"`
}

// versionsHere returns the versions that apply in the working folder, by key, with their origin.
// Warnings go to errs.
func versionsHere(errs io.Writer) map[string]string {
	c := configurator{}
	if c.work, _ = os.Getwd(); c.work == "" {
		return nil
	}
	c.follow()
	finder := settings.Finder{Read: readSettings, Inside: c.inside, Show: fromHere}
	s, err := finder.For(c.absolute("any.py"))
	if err != nil {
		text := "not known: " + err.Error()
		return map[string]string{"tensorflow": text, "keras": text}
	}
	v := c.workspace.Versions("any.py").Resolved(s.Versions)
	for _, words := range c.unread.messages() {
		fmt.Fprintln(errs, "warning: "+words)
	}
	return map[string]string{"tensorflow": v.TensorFlow.String(), "keras": v.Keras.String()}
}

func writeKeys(w io.Writer, keys []settings.Key, here map[string]string) error {
	var pages []string
	for _, k := range keys {
		var b strings.Builder
		fmt.Fprintf(&b, "%s\n\n", k.Name)
		for _, line := range wrap(k.Meaning, 76) {
			fmt.Fprintf(&b, "  %s\n", line)
		}
		fmt.Fprintf(&b, "\n  Type:    %s\n  Default: %s\n", k.Type, k.Default)
		if version := here[k.Name]; version != "" {
			fmt.Fprintf(&b, "  Here:    %s\n", version)
		}
		b.WriteString("  Example:\n")
		for line := range strings.SplitSeq(k.Example, "\n") {
			fmt.Fprintf(&b, "    %s\n", line)
		}
		pages = append(pages, b.String())
	}
	_, err := io.WriteString(w, source.PrintableLines(strings.Join(pages, "\n")))
	return err
}

// wrap breaks a text into lines of at most width bytes, unless a word is longer.
func wrap(text string, width int) []string {
	var lines []string
	line := ""
	for word := range strings.FieldsSeq(text) {
		if line != "" && len(line)+1+len(word) > width {
			lines = append(lines, line)
			line = ""
		}
		if line != "" {
			line += " "
		}
		line += word
	}
	return append(lines, line)
}
