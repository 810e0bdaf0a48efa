package lsp

import (
	"os"
	"regexp"
	"testing"
	"time"

	"github.com/tfmem/tfmem/analyzer/source"
	"github.com/tfmem/tfmem/rules"
	"github.com/tfmem/tfmem/rules/rule"
)

// The probe is a rule for tests alone. It finds the words probe_… in a text. So the tests cover
// what the server does with each part of a finding, whatever the real rules find.
var probe = &rule.Rule{
	Code: "TST001", Name: "probe", Severity: rule.Warning,
	Summary: "A probe was found.", What: "It finds probes.", Why: "It is not.",
	Bad: "probe_fix", Good: "settled",
	Triggers: []string{"probe_"},
	Check:    checkProbe,
}

var probeWord = regexp.MustCompile(`probe_(\w+)`)

// gate blocks a check if the text has a probe_block: it sends the text and then receives.
var gate = struct{ reached, release chan string }{make(chan string), make(chan string)}

// interrupted receives what ended the check of a text with a probe_endless.
var interrupted = make(chan any)

func checkProbe(p *rule.Pass) {
	text := p.File.Source.Text()
	for _, m := range probeWord.FindAllStringSubmatchIndex(text, -1) {
		f := rule.Finding{Span: source.Span{Start: m[0], End: m[1]}, Message: "a probe: " + text[m[2]:m[3]]}
		severity := rule.Warning
		switch kind := text[m[2]:m[3]]; kind {
		case "error", "information", "hint":
			severity, _ = rule.ParseSeverity(kind)
		case "fix":
			replace := func(new string) []source.Edit { return []source.Edit{{Span: f.Span, New: new}} }
			f.Fixes = []rule.Fix{
				{Message: "Remove the probe", Applicability: rule.Unsafe, Edits: replace("")},
				{Message: "Look at the probe", Applicability: rule.Display, Edits: replace("seen")},
				{Message: "Settle the probe", Applicability: rule.Safe, Edits: replace("settled")},
				{Message: "Calm the probe", Applicability: rule.Safe, Edits: replace("calm")},
			}
		case "unsafe":
			f.Fixes = []rule.Fix{{Message: "Remove the probe", Applicability: rule.Unsafe, Edits: []source.Edit{{Span: f.Span}}}}
		case "display":
			f.Fixes = []rule.Fix{{Message: "Look at the probe", Applicability: rule.Display}}
		case "trap": // once it is fixed, a check panics outside of the rules
			f.Fixes = []rule.Fix{{Message: "Spring", Applicability: rule.Safe, Edits: []source.Edit{{Span: f.Span, New: "probe_sprung"}}}}
		case "sprung":
			p.File.Source = nil
		case "tags":
			f.Tags = []rule.Tag{rule.Unnecessary, rule.Deprecated}
		case "related":
			f.Related = []rule.Related{{Span: source.Span{Start: 0, End: 6}, Message: "the import"}}
		case "panic":
			panic("probe_panic")
		case "block":
			gate.reached <- text
			<-gate.release
		case "endless": // follows values until its account is spent, or somebody interrupts it
			func() {
				defer func() {
					why := recover()
					interrupted <- why
					panic(why)
				}()
				gate.reached <- text
				for i := 0; ; i++ {
					p.File.Names().Enter(p.File.Tree.Statement(0)).Leave()
					if i%64 == 0 {
						time.Sleep(time.Millisecond)
					}
				}
			}()
		case "sleep": // with a fake clock
			time.Sleep(time.Hour)
		}
		p.ReportAs(severity, f)
	}
}

// The dear probe stands for the rules that price models. It finds the words dear_….
var dearProbe = &rule.Rule{
	Code: "TST002", Name: "dear-probe", Severity: rule.Information, Priced: true,
	Summary: "A dear probe was found.", What: "It finds dear probes.", Why: "It is not.",
	Bad: "dear_slow", Good: "settled",
	Triggers: []string{"dear_"},
	Check:    checkDearProbe,
}

var dearWord = regexp.MustCompile(`dear_(\w+)`)

func checkDearProbe(p *rule.Pass) {
	text := p.File.Source.Text()
	var last source.Span
	for _, m := range dearWord.FindAllStringSubmatchIndex(text, -1) {
		f := rule.Finding{Span: source.Span{Start: m[0], End: m[1]}, Message: "a dear probe: " + text[m[2]:m[3]]}
		switch text[m[2]:m[3]] {
		case "slow": // exceeds quickBudget
			_ = p.File.Step(quickBudget + 1)
		case "block": // blocks like probe_block
			if p.File.Step(quickBudget+1) != nil {
				return
			}
			gate.reached <- text
			<-gate.release
		case "sleep": // takes a third of a second
			for range 10 {
				time.Sleep(time.Second / 30)
				if p.File.Step(quickBudget/2) != nil {
					return
				}
			}
		case "endless": // runs until it is cancelled
			for p.File.Step(quickBudget/2) == nil {
				time.Sleep(time.Millisecond)
			}
			return
		case "night": // ignores cancellation
			time.Sleep(8 * time.Hour)
		case "panic":
			if p.File.Step(quickBudget+1) != nil {
				return
			}
			panic("dear_panic")
		case "fix":
			f.Fixes = []rule.Fix{{Message: "Cheapen", Applicability: rule.Safe, Edits: []source.Edit{{Span: f.Span, New: "cheap"}}}}
		}
		if last.Len() > 0 {
			f.Related = []rule.Related{{Span: last, Message: "the one before"}}
		}
		last = f.Span
		p.Report(f)
	}
}

func TestMain(m *testing.M) {
	rules.All = append(rules.All, probe, dearProbe)
	os.Exit(m.Run())
}
