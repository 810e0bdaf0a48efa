package estimate

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/tfmem/tfmem/analyzer"
	"github.com/tfmem/tfmem/analyzer/memory"
	"github.com/tfmem/tfmem/analyzer/value"
)

// mostCommands bounds the commands under which a program is priced.
const mostCommands = 12

// OfEach is Of for each of the commands with which the project runs a file, where they differ in what
// decides on figures: each is a configuration, as one of a loop. Commands that the program refuses are left out.
func OfEach(file *analyzer.File, o Options) (found []Model, device *memory.Device) {
	found, device = Of(file, o)
	if len(found) == 0 || !slices.ContainsFunc(commandsOf(file), func(u value.CommandUse) bool { return u.Differs }) {
		return found, device
	}
	var each []Model
	under, figures := map[string]bool{}, map[string]bool{}
	for _, run := range file.Runs() {
		place := run.Place()
		if under[place] {
			continue
		}
		one := file.Under(place)
		models, _ := Of(one, o)
		if len(run.Words) > 0 && len(commandsOf(one)) == 0 {
			continue
		}
		if under[place] = true; len(under) > mostCommands {
			return found, device
		}
		figures[figuresOf(models)] = true
		for _, m := range models {
			m.Loop = append(Loop{{"command", []string{place}}}, m.Loop...)
			each = append(each, m)
		}
	}
	if len(figures) < 2 {
		return found, device // where they differ changes no figure
	}
	return each, device
}

// figuresOf stands for what models need.
func figuresOf(models []Model) string {
	var b strings.Builder
	for _, m := range models {
		if main := m.Main(); main != nil {
			fmt.Fprintln(&b, m.Span, main.Batch, main.Need, m.Priced())
		}
	}
	return b.String()
}

// commandsOf are the options that a file has from commands.
func commandsOf(file *analyzer.File) (uses []value.CommandUse) {
	_ = file.Do(context.Background(), func() { uses = file.Models().Commands }) // nothing interrupts it
	return uses
}
