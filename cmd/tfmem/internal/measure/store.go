package measure

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"os"
	"path/filepath"

	"github.com/tfmem/tfmem/analyzer/project"
	"github.com/tfmem/tfmem/cmd/tfmem/internal/write"
)

// mostStored is the largest file of a measurement that is read, in bytes. It has no samples.
const mostStored = 1 << 20

// place returns the file of the last measurement of a script, by its absolute path.
func place(script string) (string, error) {
	dir, err := os.UserCacheDir()
	if err != nil {
		return "", err
	}
	sum := sha256.Sum256([]byte(script))
	return filepath.Join(dir, "tfmem", "measured", hex.EncodeToString(sum[:])+".json"), nil
}

// Keep stores a measurement as the last one of its script, without its samples.
func (m *Measurement) Keep() error {
	if m.Script == "" {
		return nil
	}
	path, err := place(m.Script)
	if err != nil {
		return err
	}
	short := *m
	short.Devices = nil
	for _, d := range m.Devices {
		d.Samples = nil
		short.Devices = append(short.Devices, d)
	}
	text, err := json.Marshal(&short)
	if err != nil {
		return err
	}
	return write.Store(path, text)
}

// Last returns the last measurement of the script with an absolute path, if its code is still the
// one that was measured; else nil.
func Last(script, code string) *Measurement {
	path, err := place(script)
	if err != nil {
		return nil
	}
	stored, err := project.ReadFile(path, mostStored)
	m := &Measurement{}
	if err != nil || json.Unmarshal(stored, m) != nil || m.Script != script || m.SHA256 != Hash(code) {
		return nil
	}
	return m
}
