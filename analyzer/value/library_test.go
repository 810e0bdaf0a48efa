package value

import (
	"strings"
	"testing"

	"github.com/tfmem/tfmem/analyzer/library"
)

// TestOwners builds Python's library, in which a name that has two owners is an error,
// and sees that such an error is found among functions and among methods.
func TestOwners(t *testing.T) {
	if PythonLibrary() == nil {
		t.Fatal("there is no library")
	}
	for name, twice := range map[string]part{
		"len":      {functions: library.Table[native]{"len": {}}},
		"math.pi":  {constants: library.Table[any]{"math.pi": 3}},
		"append":   {ofList: library.Table[func(*Interp, *List, *Args) Value]{"append": nil}},
		"__init__": {ofAny: library.Table[func(*Interp, Value, *Args) Value]{"__init__": nil}},
	} {
		if _, err := newLibrary(pythonPart(), mathPart(), standardPart(), optionsPart(), twice); err == nil || !strings.Contains(err.Error(), name+" has two owners") {
			t.Errorf("%s: %v", name, err)
		}
	}
}
