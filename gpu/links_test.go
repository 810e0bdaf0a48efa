package gpu

import (
	"os/exec"
	"slices"
	"strings"
	"testing"
)

const module = "github.com/tfmem/tfmem/"

// TestLinks keeps the driver's library out of every program but the helper, and
// this package apart from the rest of tfmem.
func TestLinks(t *testing.T) {
	dependencies := func(pkg string) []string {
		var complaint strings.Builder
		cmd := exec.Command("go", "list", "-deps", pkg)
		cmd.Stderr = &complaint
		out, err := cmd.Output()
		if err != nil {
			t.Fatalf("go list -deps %s: %v\n%s", pkg, err, complaint.String())
		}
		return strings.Fields(string(out))
	}
	tfmem := dependencies(module + "cmd/tfmem")
	if !slices.Contains(tfmem, module+"gpu") {
		t.Error("tfmem does not know package gpu")
	}
	for _, d := range tfmem {
		if d == module+"gpu/nvml" || strings.Contains(d, "go-nvml") {
			t.Errorf("tfmem links %s", d)
		}
	}
	for _, d := range dependencies(module + "gpu") {
		if strings.Contains(strings.Split(d, "/")[0], ".") && d != module+"gpu" {
			t.Errorf("package gpu knows %s", d)
		}
	}
	for _, d := range dependencies(module + "gpu/nvml") {
		if strings.HasPrefix(d, module) && d != module+"gpu" && d != module+"gpu/nvml" {
			t.Errorf("package nvml knows %s", d)
		}
	}
}
