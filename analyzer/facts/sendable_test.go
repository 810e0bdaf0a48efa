package facts

import (
	"testing"

	"github.com/tfmem/tfmem/analyzer/cases"
	"github.com/tfmem/tfmem/analyzer/effects"
	"github.com/tfmem/tfmem/analyzer/names"
	"github.com/tfmem/tfmem/analyzer/syntax"
)

// TestSendable checks the files of testdata/facts/sendable: whether the argument of the call of print on a line
// surely can be sent to another process.
func TestSendable(t *testing.T) {
	cases.Run(t, "../../testdata/facts/sendable", []string{"sendable"}, func(t *testing.T, c *cases.Case) {
		info := names.Resolve(syntax.Parse(c.Text), effects.Library{}, nil)
		f := Of(info)
		printed := printedIn(info, c)
		c.Compare(t, "sendable", func(line int) []string {
			if f.Sendable(printed[line], nil) {
				return []string{"yes"}
			}
			return []string{"no"}
		})
	})
}
