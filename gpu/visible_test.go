package gpu

import (
	"strings"
	"testing"
)

func TestHide(t *testing.T) {
	const t4, v100, mig = "Tesla T4", "Tesla V100-SXM2-16GB", "1g.5gb"
	same := []Device{{Name: t4, Index: 0, UUID: "GPU-aa"}, {Name: t4, Index: 1, UUID: "GPU-ab"}, {Name: t4, Index: 2, UUID: "GPU-b"}}
	mixed := []Device{{Name: t4, Index: 0, UUID: "GPU-aa"}, {Name: v100, Index: 1, UUID: "GPU-b"}}
	instances := []Device{{Name: "A100", UUID: "MIG-1", MIG: mig}, {Name: "A100", UUID: "MIG-2", MIG: mig}}
	for _, c := range []struct {
		devices []Device
		env     string // lines; none for a variable that is not set
		shown   string // a digit per device
		why     string
	}{
		{same, "", "111", ""},
		{same, "CUDA_VISIBLE_DEVICES=", "000", ""},
		{same, "CUDA_VISIBLE_DEVICES=-1", "000", ""},
		{same, "CUDA_VISIBLE_DEVICES=1", "010", ""},
		{same, "CUDA_VISIBLE_DEVICES=2, 0", "101", ""},
		{same, "CUDA_VISIBLE_DEVICES=0,-1,1", "100", ""},
		{same, "CUDA_VISIBLE_DEVICES=0,7,1", "100", ""},
		{same, "CUDA_VISIBLE_DEVICES=0,0", "000", ""},
		{same, "CUDA_VISIBLE_DEVICES=NoDevFiles", "000", ""},
		{same, "CUDA_VISIBLE_DEVICES=GPU-b", "001", ""},
		{same, "CUDA_VISIBLE_DEVICES=GPU-a", "000", ""},
		{same, "CUDA_VISIBLE_DEVICES=GPU-ab,GPU-aa", "110", ""},
		{mixed, "CUDA_VISIBLE_DEVICES=1", "11", "numbers them by speed"},
		{mixed, "CUDA_VISIBLE_DEVICES=GPU-b", "01", ""},
		{mixed, "CUDA_VISIBLE_DEVICES=1\nCUDA_DEVICE_ORDER=PCI_BUS_ID", "01", ""},
		{mixed, "CUDA_VISIBLE_DEVICES=1\nCUDA_DEVICE_ORDER=FASTEST_FIRST", "11", "numbers them by speed"},
		{instances, "CUDA_VISIBLE_DEVICES=MIG-2", "01", ""},
		{instances, "CUDA_VISIBLE_DEVICES=MIG-2,MIG-1", "01", ""},
		{instances, "CUDA_VISIBLE_DEVICES=0", "11", "by UUID"},
		{nil, "CUDA_VISIBLE_DEVICES=0", "", ""},
	} {
		env := map[string]string{}
		for _, line := range strings.Split(c.env, "\n") {
			if name, value, ok := strings.Cut(line, "="); ok {
				env[name] = value
			}
		}
		devices := append([]Device{}, c.devices...)
		why := hide(devices, func(name string) (string, bool) { v, ok := env[name]; return v, ok })
		shown := ""
		for _, d := range devices {
			shown += map[bool]string{true: "0", false: "1"}[d.Hidden]
		}
		if shown != c.shown || !strings.Contains(why, c.why) || (why == "") != (c.why == "") {
			t.Errorf("%q: %s %q, want %s %q", c.env, shown, why, c.shown, c.why)
		}
	}
}
