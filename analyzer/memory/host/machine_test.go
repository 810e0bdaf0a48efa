package host

import "testing"

func TestParse(t *testing.T) {
	for setting, want := range map[string]int64{
		"16GiB": 16 << 30, "12.7 GB": 12_700_000_000, "64G": 64 << 30, "512 MiB": 512 << 20, "1.5t": 3 << 39,
		"colab": gib * 127 / 10, "Colab  Pro": 51 << 30, "kaggle": 30 << 30, "none": 0,
	} {
		if m, err := Parse(setting); err != nil || m.Bytes != want || m.Name == "" {
			t.Errorf("%s: %+v, %v, want %d bytes", setting, m, err, want)
		}
	}
	for _, wrong := range []string{"", "16", "GiB", "-4GiB", "0GiB", "9999999TB", "laptop", "1e9GiB", "16 GiB RAM"} {
		if m, err := Parse(wrong); err == nil {
			t.Errorf("%q: %+v, want an error", wrong, m)
		}
	}
}

// FuzzParse holds that no setting crashes, and that none is taken for a machine without memory.
func FuzzParse(f *testing.F) {
	for _, seed := range []string{"16GiB", "colab", "none", "1.7e308G", "٣GiB", "\x00"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, setting string) {
		if m, err := Parse(setting); err == nil && m.Name != "none" && (m.Bytes < 1<<20 || m.Bytes > 1<<50) {
			t.Errorf("%q: %+v", setting, m)
		}
	})
}
