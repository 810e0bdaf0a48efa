package rules

import (
	"testing"

	"github.com/tfmem/tfmem/rules/rule"
)

// TestSelection checks whether TFM101 runs, for selections on top of one another.
func TestSelection(t *testing.T) {
	l := func(codes ...string) []string { return codes }
	for _, c := range []struct {
		what         string
		upper, lower Selection
		want         bool
	}{
		{"the default", Selection{}, Selection{}, true},
		{"selected", Selection{Select: l("TFM101")}, Selection{}, true},
		{"another is selected", Selection{Select: l("TFM3")}, Selection{}, false},
		{"the longer prefix selects", Selection{Select: l("TFM101"), Ignore: l("TFM1")}, Selection{}, true},
		{"the longer prefix ignores", Selection{Select: l("TFM1"), Ignore: l("tfm101")}, Selection{}, false},
		{"a tie", Selection{Select: l("TFM1"), Ignore: l("TFM1")}, Selection{}, false},
		{"ALL is the shortest", Selection{ExtendSelect: l("TFM1"), Ignore: l("ALL")}, Selection{}, true},
		{"extended", Selection{Select: l("TFM3"), ExtendSelect: l("TFM101")}, Selection{}, true},
		{"below it is ignored", Selection{}, Selection{Ignore: l("TFM101")}, false},
		{"select forgets what is below", Selection{Select: l("TFM1")}, Selection{Ignore: l("TFM101")}, true},
		{"select forgets what is selected below", Selection{Select: l("TFM3")}, Selection{Select: l("TFM1")}, false},
		{"a shorter prefix above a longer", Selection{ExtendSelect: l("TFM1")}, Selection{Ignore: l("TFM101")}, true},
		{"ignored above what is selected", Selection{Ignore: l("TFM1")}, Selection{Select: l("TFM101")}, false},
		{"extend-select keeps what is selected below", Selection{ExtendSelect: l("TFM3")}, Selection{Select: l("TFM1")}, true},
		{"excepted", Selection{Select: l("TFM101")}, Selection{Except: l("TFM1")}, false},
	} {
		if got := c.upper.LaidOver(c.lower).Enabled(Lookup("TFM101")); got != c.want {
			t.Errorf("%s: TFM101 runs is %t, want %t", c.what, got, c.want)
		}
	}
}

// TestOffByDefault checks that a rule which is off by default runs only if something selects it.
func TestOffByDefault(t *testing.T) {
	off := &rule.Rule{Code: "TFM305", OffByDefault: true}
	l := func(codes ...string) []string { return codes }
	for _, c := range []struct {
		what         string
		upper, lower Selection
		want         bool
	}{
		{"the default", Selection{}, Selection{}, false},
		{"selected", Selection{Select: l("TFM305")}, Selection{}, true},
		{"ALL", Selection{Select: l("ALL")}, Selection{}, true},
		{"extended", Selection{ExtendSelect: l("TFM3")}, Selection{}, true},
		{"selected below", Selection{}, Selection{Select: l("ALL")}, true},
		{"another is selected", Selection{ExtendSelect: l("TFM1")}, Selection{}, false},
	} {
		if got := c.upper.LaidOver(c.lower).Enabled(off); got != c.want {
			t.Errorf("%s: the rule runs is %t, want %t", c.what, got, c.want)
		}
	}
}

// TestLaidOverTwice checks that what is below a selection stays there when that selection is laid
// over another.
func TestLaidOverTwice(t *testing.T) {
	s := Selection{}.LaidOver(Selection{Ignore: []string{"TFM101"}}).LaidOver(Selection{Ignore: []string{"TFM102"}})
	for _, code := range []string{"TFM101", "TFM102"} {
		if s.Enabled(Lookup(code)) {
			t.Errorf("%s runs", code)
		}
	}
}

func TestLaidOverKeepsSeverities(t *testing.T) {
	s := Selection{}.LaidOver(Selection{Severity: map[string]rule.Severity{"TFM101": rule.Error}, IgnoreComments: true})
	if s.Severity["TFM101"] != rule.Error || !s.IgnoreComments {
		t.Errorf("what lies below is lost: %+v", s)
	}
}
