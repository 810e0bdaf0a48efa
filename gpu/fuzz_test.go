package gpu

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// believable fails where devices are returned that validate refuses, or that do
// not survive being written and read.
func believable(t *testing.T, devices []Device) {
	t.Helper()
	if err := validate(devices); err != nil {
		t.Fatalf("%+v: %v", devices, err)
	}
	text, err := json.Marshal(Result{Devices: devices})
	if err != nil {
		t.Fatal(err)
	}
	var again Result
	if err := decode(text, &again); err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	if diff := cmp.Diff(devices, again.Devices); diff != "" {
		t.Fatal(diff)
	}
}

func FuzzReadAnswer(f *testing.F) {
	for _, name := range []string{"gpu", "none", "empty", "wrong"} {
		text, err := os.ReadFile(filepath.Join("testdata", name+".json"))
		if err != nil {
			f.Fatal(err)
		}
		f.Add(text)
	}
	f.Add([]byte(`{"devices":[null],"error":"x"}`))
	f.Add([]byte(`{"devices":[],"error":"\u001b"}`))
	f.Fuzz(func(t *testing.T, text []byte) {
		answer, err := readAnswer(text)
		devices := answer.devices
		if err == nil && len(devices) == 0 {
			t.Fatal("neither a device nor a reason")
		}
		if err != nil && (len(err.Error()) > 6*longestWhy || !onlyPrints(err.Error())) {
			t.Fatalf("%q", err)
		}
		if len(devices) > 0 {
			believable(t, devices)
		}
	})
}

func FuzzReadGPUs(f *testing.F) {
	f.Add("0, GPU-7f, Tesla T4, 15360, 14900, 535.104.05, 456, Disabled, 7.5, [N/A]\n", "GPU-7f, 4211, 310\n")
	f.Add("0, GPU-7f, A100, 40960, 14900, 535.104.05, 456, Disabled, 8.0, Enabled\n1, GPU-8f, A100, [N/A], 1, 535.104.05, [N/A], Enabled, x, Disabled\n", "GPU-7f, 4211, [N/A]\n")
	f.Add("No devices were found\n", "")
	f.Add("0, \"GPU, T4, 1, 1, 1, 1\n", "\"")
	f.Fuzz(func(t *testing.T, gpus, processes string) {
		answer, err := readGPUs([]byte(gpus), smiFields)
		devices := answer.devices
		if err == nil && len(devices) == 0 {
			t.Fatal("neither a device nor a reason")
		}
		if err != nil && !onlyPrints(err.Error()) {
			t.Fatalf("%q", err)
		}
		readProcesses([]byte(processes), devices)
		if len(devices) > 0 {
			believable(t, devices)
		}
	})
}

func FuzzParse(f *testing.F) {
	text, err := os.ReadFile("testdata/settings.txt")
	if err != nil {
		f.Fatal(err)
	}
	for line := range strings.Lines(string(text)) {
		if given, _, ok := strings.Cut(line, "\t"); ok {
			f.Add(strings.Trim(given, `"`))
		}
	}
	f.Fuzz(func(t *testing.T, setting string) {
		if IsPath(setting) {
			return // may be any file
		}
		r, err := Parse(setting, readFixture)
		if err != nil {
			if !onlyPrints(err.Error()) {
				t.Fatalf("%q", err)
			}
			return
		}
		if len(r.Devices) == 0 && r.Why == "" {
			t.Fatal("neither a device nor a reason")
		}
		if len(r.Devices) > 0 {
			believable(t, r.Devices)
		}
		if r.Source == Catalogue {
			again, err := Parse(r.Devices[0].Name, readFixture)
			if err != nil || again.Devices[0].ComputeCapability != r.Devices[0].ComputeCapability {
				t.Fatalf("%q is %+v, which is %+v, %v", setting, r, again, err)
			}
		}
	})
}

// FuzzReadFile reads any bytes as the file that a setting names.
func FuzzReadFile(f *testing.F) {
	for _, name := range []string{"gpu", "none", "empty", "wrong"} {
		text, err := os.ReadFile(filepath.Join("testdata", name+".json"))
		if err != nil {
			f.Fatal(err)
		}
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		r, err := Parse("gpu.json", func(string, int64) ([]byte, error) { return text, nil })
		switch {
		case err != nil && !onlyPrints(err.Error()):
			t.Fatalf("%q", err)
		case err == nil && len(r.Devices) == 0:
			t.Fatal("neither a device nor a reason")
		case err == nil:
			believable(t, r.Devices)
		}
	})
}
