package syntax

import (
	"fmt"
	"os"
	"os/exec"
	"strings"
	"testing"

	"github.com/tfmem/tfmem/analyzer/cases"
)

// TestMemory holds what a process that parses a hard text takes beside one that parses
// none, in bytes of each of the text's: what tree-sitter allocates nobody else counts. No
// text has more tokens than this one may have, and so none takes more than 360 MB.
func TestMemory(t *testing.T) {
	const variable, size, most = "TFMEM_TEST_MEMORY", maxTokens, 600
	if name, ok := os.LookupEnv(variable); ok {
		Parse(hard(size)[name].text)
		status, err := os.ReadFile("/proc/self/status")
		if err != nil {
			t.Fatal(err)
		}
		_, peak, _ := strings.Cut(string(status), "VmHWM:")
		fmt.Println("peak", peak)
		return
	}
	peak := func(name string) (kilobytes int) {
		cmd := exec.Command(os.Args[0], "-test.run=^TestMemory$")
		cmd.Env = append(os.Environ(), variable+"="+name)
		out, err := cmd.CombinedOutput()
		if _, after, ok := strings.Cut(string(out), "peak"); err != nil || !ok {
			t.Fatalf("%s: %v\n%s", name, err, out)
		} else if _, err := fmt.Sscan(after, &kilobytes); err != nil {
			t.Fatal(err)
		}
		return kilobytes
	}
	base := peak("")
	for _, name := range cases.Sample(t, []string{"parentheses", "opened", "assignments", "names in lines", "commas in lines", "f-strings in those", "quotes in lines", "list", "string", "noise"}, 3) {
		if n := (peak(name) - base) << 10 / size; n > most {
			t.Errorf("%s: %d bytes of memory for each of the text, more than %d", name, n, most)
		} else {
			t.Logf("%s: %d bytes for each of the text", name, n)
		}
	}
}
