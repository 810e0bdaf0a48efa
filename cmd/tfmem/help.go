package main

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// helpWidth is the width of help texts. It does not depend on the terminal, as that of the texts
// that we wrap by hand does not.
const helpWidth = 96

// flagGroups are the flags of a command under the headings of its help.
type flagGroups struct {
	headings []string
	flags    []*pflag.FlagSet
}

// under returns the flags of a new heading.
func (g *flagGroups) under(heading string) *pflag.FlagSet {
	f := pflag.NewFlagSet(heading, pflag.ContinueOnError)
	f.SortFlags = false
	g.headings, g.flags = append(g.headings, heading), append(g.flags, f)
	return f
}

// addTo gives the flags to a command, and the command a help that shows them in groups.
func (g *flagGroups) addTo(cmd *cobra.Command) {
	cmd.Flags().SortFlags = false
	for _, f := range g.flags {
		cmd.Flags().AddFlagSet(f)
	}
	cmd.SetUsageFunc(func(cmd *cobra.Command) error {
		var b strings.Builder
		fmt.Fprintf(&b, "Usage:\n  %s\n\nExamples:\n%s\n", cmd.UseLine(), cmd.Example)
		for i, f := range g.flags {
			fmt.Fprintf(&b, "\n%s:\n%s", g.headings[i], f.FlagUsagesWrapped(helpWidth))
		}
		_, err := fmt.Fprint(cmd.OutOrStderr(), b.String())
		return err
	})
}
