package rules

import (
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/tfmem/tfmem/analyzer/source"
	"github.com/tfmem/tfmem/rules/rule"
)

const raising = "../testdata/raises"

// A raisesRecord is what one TensorFlow version did with the programs in testdata/raises.
type raisesRecord struct {
	Cases map[string]struct{ Bad, Fixed recordedRun }
}

type recordedRun struct {
	SHA256 string
	Raises *string
}

// TestRaises compares what rules say TensorFlow raises with what it raised. For each program in
// testdata/raises the rule, or its documentation, names the error, the fixed program ran, and the
// programs have not changed since.
func TestRaises(t *testing.T) {
	records := map[string]raisesRecord{}
	paths, _ := filepath.Glob(filepath.Join(raising, "records", "*.json"))
	for _, path := range paths {
		var r raisesRecord
		if err := json.Unmarshal([]byte(read(t, path)), &r); err != nil {
			t.Fatalf("%s: %v", path, err)
		}
		records[filepath.Base(path)] = r
	}
	programs, _ := filepath.Glob(filepath.Join(raising, "cases", "*.py"))
	if len(records) == 0 || len(programs) == 0 {
		t.Fatalf("there are %d programs and %d records under %s", len(programs), len(records), raising)
	}
	for _, path := range programs {
		name := strings.TrimSuffix(filepath.Base(path), ".py")
		if strings.HasSuffix(name, ".fixed") {
			continue
		}
		t.Run(name, func(t *testing.T) {
			bad, fixed := read(t, path), read(t, strings.TrimSuffix(path, ".py")+".fixed.py")
			code, raises := comment(t, bad, "rule"), comment(t, bad, "raises")
			r := Lookup(code)
			if r == nil {
				t.Fatalf("there is no rule %s", code)
			}
			only := alone(r)
			findings := Check(analyze(source.New(path, bad)), only)
			if len(findings) == 0 {
				t.Fatalf("%s does not fire", code)
			}
			if said := findings[0].Message + r.What + r.Why; !strings.Contains(strings.Join(strings.Fields(said), " "), raises) {
				t.Errorf("neither the message nor the documentation says %q: %s", raises, findings[0].Message)
			}
			if len(findings[0].Fixes) > 0 {
				mended := mend(t, analyze(source.New(path, bad)), only, rule.Unsafe)
				if diff := cmp.Diff(fixed, mended.File.Source.Text()); diff != "" {
					t.Errorf("the fixes do not give the mended program (-file +fixes):\n%s", diff)
				}
			}
			if left := Check(analyze(source.New(path, fixed)), only); len(left) > 0 {
				t.Errorf("the mended program has a finding: %s", left[0].Message)
			}
			ran := 0
			for file, record := range records {
				c, ok := record.Cases[name]
				if !ok {
					continue
				}
				ran++
				for which, run := range map[string]struct {
					recordedRun
					text string
				}{"bad": {c.Bad, bad}, "fixed": {c.Fixed, fixed}} {
					if sum := fmt.Sprintf("%x", sha256.Sum256([]byte(run.text))); sum != run.SHA256 {
						t.Errorf("%s: the %s program is not the one that ran; record it again", file, which)
					}
				}
				if c.Bad.Raises == nil || !strings.Contains(*c.Bad.Raises, raises) {
					t.Errorf("%s: the program raised %v, not %q", file, deref(c.Bad.Raises), raises)
				}
				if c.Fixed.Raises != nil {
					t.Errorf("%s: the mended program raised %s", file, *c.Fixed.Raises)
				}
			}
			if ran == 0 {
				t.Error("no TensorFlow has run it")
			}
		})
	}
}

func deref(s *string) string {
	if s == nil {
		return "nothing"
	}
	return *s
}

// comment returns what a program says about itself in its first lines.
func comment(t *testing.T, text, key string) string {
	t.Helper()
	m := regexp.MustCompile(`(?m)^# ` + key + `: (.*)$`).FindStringSubmatch(text)
	if m == nil {
		t.Fatalf("it has no line \"# %s: …\"", key)
	}
	return m[1]
}
