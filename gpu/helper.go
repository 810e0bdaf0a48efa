package gpu

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
)

// The helper's name, and the variable that names another one, for tests.
const (
	helper         = "tfmem-nvml"
	helperVariable = "TFMEM_NVML"
)

// askHelper runs tfmem-nvml. If it returns both devices and an error, the helper could not report
// all of them.
func askHelper(ctx context.Context) (found, error) {
	path, err := findHelper()
	if err != nil {
		return found{}, err
	}
	out, err := run(ctx, path)
	if errors.Is(err, fs.ErrNotExist) {
		// The program is there, but not its loader, as on Alpine.
		err = absent{helper + " cannot run here: it needs glibc"}
	}
	if err != nil {
		return found{}, err
	}
	return readAnswer(out)
}

// readAnswer interprets the helper's output. Old drivers do not report the compute capability;
// the catalogue may have it.
func readAnswer(out []byte) (found, error) {
	var a Answer
	if err := decode(out, &a); err != nil || a.Devices == nil && a.Error == "" {
		return found{}, fmt.Errorf("%s printed what is not its JSON: %s", helper, quote(out))
	}
	for _, d := range a.Devices {
		for i := range d.Processes {
			d.Processes[i].Name = programName(d.Processes[i].Name)
		}
	}
	if err := errors.Join(validate(a.Devices), a.Driver.validate()); err != nil {
		return found{}, fmt.Errorf("%s printed what cannot be: %w", helper, err)
	}
	for i, d := range a.Devices {
		if !d.ComputeCapability.Known() {
			a.Devices[i].ComputeCapability = capabilityOf(d.Name)
		}
	}
	answer := found{a.Devices, a.Driver}
	switch {
	case a.Error == NoLibrary:
		return answer, absent{NoLibrary}
	case a.Error != "":
		return answer, errors.New(words(a.Error))
	case len(a.Devices) == 0:
		return answer, errors.New("the NVIDIA driver lists no GPU")
	}
	return answer, nil
}

// findHelper finds the helper that was installed with the running program: in its folder, also
// through a link, or else on the PATH.
func findHelper() (string, error) {
	if path := os.Getenv(helperVariable); path != "" {
		if _, err := exec.LookPath(path); err != nil {
			return "", fmt.Errorf("%s: %w", helperVariable, err)
		}
		return path, nil
	}
	if path, ok := Beside(helper); ok {
		return path, nil
	}
	if path, err := exec.LookPath(helper); err == nil {
		return path, nil
	}
	return "", absent{helper + " is neither next to tfmem nor on the PATH"}
}

// Beside finds a program that was installed with the running one: in its folder, also through a link.
func Beside(name string) (path string, ok bool) {
	exe, err := os.Executable()
	if err != nil {
		return "", false
	}
	real, _ := filepath.EvalSymlinks(exe)
	for _, beside := range []string{exe, real} {
		if path, err := exec.LookPath(filepath.Join(filepath.Dir(beside), name)); err == nil {
			return path, true
		}
	}
	return "", false
}

// absent is an errNotInstalled with its own words.
type absent struct{ string }

func (a absent) Error() string        { return a.string }
func (a absent) Is(target error) bool { return target == errNotInstalled }
