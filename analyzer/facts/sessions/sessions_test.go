package sessions

import (
	"slices"
	"testing"

	"github.com/tfmem/tfmem/analyzer/cases"
	"github.com/tfmem/tfmem/analyzer/effects"
	"github.com/tfmem/tfmem/analyzer/facts"
	"github.com/tfmem/tfmem/analyzer/names"
	"github.com/tfmem/tfmem/analyzer/syntax"
)

// TestSessions checks the files of testdata/facts/sessions: the options of the ConfigProto that print takes
// on a line, the config of the session that is opened there, and what is run there.
func TestSessions(t *testing.T) {
	cases.Run(t, "../../../testdata/facts/sessions", []string{"options", "config", "runs"}, func(t *testing.T, c *cases.Case) {
		info := names.Resolve(syntax.Parse(c.Text), effects.Library{}, nil)
		printed := map[int]syntax.Node{}
		for _, call := range info.Calls {
			if info.Builtin(call) == "print" {
				printed[c.Line(call.Start())] = names.Argument(call, 0, "")
			}
		}
		c.Compare(t, "options", func(line int) (out []string) {
			o := NewReader(info).Read(printed[line], printed[line])
			for path, s := range o.Fields {
				if text := path + "=" + s.Value.Text(); s.Sure {
					out = append(out, text)
				} else {
					out = append(out, text+"?")
				}
			}
			slices.Sort(out)
			if o.Open {
				out = append(out, "open")
			}
			return out
		})
		runs := Runs(info, facts.Of(info), false)
		c.Compare(t, "runs", func(line int) (out []string) {
			for _, r := range runs {
				switch {
				case c.Line(r.Call.Start()) != line:
				case r.Maker == "":
					out = append(out, "?"+r.Fetched().Text())
				default:
					out = append(out, r.Fetched().Text())
				}
			}
			return out
		})
		c.Compare(t, "config", func(line int) []string {
			switch s := Open(info, printed[line]); {
			case s.Elsewhere:
				return []string{"elsewhere"}
			case s.Absent():
				return []string{"none"}
			default:
				return []string{s.Config.Text()}
			}
		})
	})
}
