package gpu

import (
	"context"
	"fmt"
	"os"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// readFixture reads a file of the tests.
func readFixture(path string, _ int64) ([]byte, error) { return os.ReadFile(path) }

// TestParse runs the lines of testdata/settings.txt.
func TestParse(t *testing.T) {
	const file = "testdata/settings.txt"
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var got strings.Builder
	for line := range strings.Lines(string(text)) {
		line = strings.TrimSuffix(line, "\n")
		if line == "" || line[0] == '#' {
			fmt.Fprintln(&got, line)
			continue
		}
		given, _, _ := strings.Cut(line, "\t")
		setting, err := strconv.Unquote(given)
		if err != nil {
			t.Fatalf("%s: %v", line, err)
		}
		fmt.Fprintf(&got, "%s\t%s\n", given, parsed(setting))
	}
	if *update {
		if err := os.WriteFile(file, []byte(got.String()), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	if diff := cmp.Diff(string(text), got.String()); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
}

func parsed(setting string) string {
	r, err := Parse(setting, readFixture)
	if err != nil {
		return "error: " + err.Error()
	}
	out := []string{r.Source}
	for _, d := range r.Devices {
		size := fmt.Sprintf("%d MiB", d.TotalBytes>>20)
		if d.TotalBytes&(1<<20-1) != 0 {
			size = fmt.Sprintf("%d bytes", d.TotalBytes)
		}
		one := []string{d.Name, size}
		for _, s := range []string{d.ComputeCapability.String(), d.MIG, d.UUID} {
			if s != "" {
				one = append(one, s)
			}
		}
		if d.FreeBytes != nil || d.Processes != nil {
			one = append(one, "free memory and processes, which are another day's")
		}
		out = append(out, strings.Join(one, ", "))
	}
	if r.Why != "" {
		out = append(out, r.Why)
	}
	return strings.Join(out, "; ")
}

// TestNames makes sure that each name of the catalogue means itself, whatever its letters, that
// each nickname means its GPU, and that none is so short that it means another.
func TestNames(t *testing.T) {
	means := map[string]string{}
	for _, k := range Known() {
		means[k.Name] = k.Name
		for _, n := range k.Nicknames {
			means[n] = k.Name
		}
	}
	names := Names()
	if len(names) < 100 || len(names) != len(means) {
		t.Errorf("there are %d names, and %d of them differ", len(names), len(means))
	}
	for _, name := range names {
		for _, n := range []string{name, strings.ToLower(name), strings.ToUpper(name), strings.TrimPrefix(name, "NVIDIA ")} {
			r, err := Parse(n, readFixture)
			if err != nil {
				if !strings.Contains(err.Error(), "give ") {
					t.Errorf("%s: %v", n, err)
				}
				continue
			}
			if d := r.Devices[0]; d.Name != means[name] || d.validate() != nil || !d.ComputeCapability.Known() || d.ComputeCapability.Architecture() == "" {
				t.Errorf("%s is %+v", n, d)
			}
		}
	}
}

// TestSizes makes sure that a name without a size and then its size in GiB, as a client's list of GPUs writes those that
// differ in nothing else, means the GPU of that size.
func TestSizes(t *testing.T) {
	for _, k := range Known() {
		if k.TotalBytes == 0 || k.MIG != "" || strings.Contains(k.Name, "GB") {
			continue
		}
		name := fmt.Sprintf("%s %.0f GiB", k.Name, float64(k.TotalBytes)/(1<<30))
		if r, err := Parse(name, readFixture); err != nil || r.Devices[0].Name != k.Name || r.Devices[0].TotalBytes != k.TotalBytes {
			t.Errorf("%s is %+v, %v; want %d bytes", name, r.Devices, err, k.TotalBytes)
		}
	}
}

func TestReadCatalogue(t *testing.T) {
	const whole, mig, nick = "name,total_mib,compute_capability,known_from\n", "gpus,profile,memory_gib,known_from\n", "nickname,gpu,known_from\n"
	const a = whole + "A,1024,8.0,nominal\n"
	for _, bad := range [][3]string{
		{"", mig, nick}, {whole, "", nick}, {whole, mig, ""}, {"name\n", mig, nick},
		{whole + "A,x,8.0,nominal\n", mig, nick}, {whole + "A,1,8,nominal\n", mig, nick}, {whole + "A,1\n", mig, nick},
		{whole, mig + "A,1g.5gb,4.75,nominal\n", nick}, {a, mig + "A,1g.5gb,x,nominal\n", nick},
		{a, mig, nick + "b,B,usual\n"}, {a, mig, nick + "Big,A,usual\n"}, {a, mig, nick + "b,A,usual\nb,A,usual\n"},
	} {
		if _, err := readCatalogue(bad[0], bad[1], bad[2]); err == nil {
			t.Errorf("%q: no error", bad)
		}
	}
	if _, err := readCatalogue(a, mig+"A,1g.5gb,4.75,nominal\n", nick+"b,A,usual\n"); err != nil {
		t.Error(err)
	}
}

func TestResolve(t *testing.T) {
	t.Setenv(helperVariable, os.DevNull+"/none")
	t.Setenv("PATH", "")
	for _, c := range []struct{ variable, setting, source, device, err string }{
		{"", "T4", Catalogue, "Tesla T4", ""},
		{"L4", "T4", Catalogue, "NVIDIA L4", ""},
		{" 24GiB ", "T4", Setting, "24GiB", ""},
		{"none", "T4", Setting, "", ""},
		{"auto", "T4", "", "", ""},
		{"", "auto", "", "", ""},
		{"", "", "", "", ""},
		{"T5", "T4", "", "", "TFMEM_GPU: no GPU"},
		{"", "T5", "", "", `no GPU "T5"`},
	} {
		t.Setenv(Variable, c.variable)
		r, err := Resolve(context.Background(), c.setting, readFixture)
		if c.err != "" {
			if err == nil || !strings.HasPrefix(err.Error(), c.err) {
				t.Errorf("%+v: error %v", c, err)
			}
			continue
		}
		device := ""
		if len(r.Devices) > 0 {
			device = r.Devices[0].Name
		}
		if err != nil || r.Source != c.source || device != c.device || device == "" && r.Why == "" {
			t.Errorf("%+v: %+v, %v", c, r, err)
		}
	}
}
