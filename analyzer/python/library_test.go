package python

import (
	"strings"
	"testing"

	"github.com/tfmem/tfmem/analyzer/library"
	"github.com/tfmem/tfmem/analyzer/python/options"
	"github.com/tfmem/tfmem/analyzer/value"
)

// TestOwners builds Python's library, in which a name that has two owners is an error,
// and sees that such an error is found among functions and among methods.
func TestOwners(t *testing.T) {
	if Library() == nil {
		t.Fatal("there is no library")
	}
	for name, twice := range map[string]value.Part{
		"len":      {Functions: library.Table[value.Native]{"len": {}}},
		"math.pi":  {Constants: library.Table[any]{"math.pi": 3}},
		"append":   {OfList: library.Table[func(*value.Interp, *value.List, *value.Args) value.Value]{"append": nil}},
		"__init__": {OfAny: library.Table[func(*value.Interp, value.Value, *value.Args) value.Value]{"__init__": nil}},
	} {
		if _, err := value.NewLibrary(pythonPart(), mathPart(), standardPart(), options.Part(), twice); err == nil || !strings.Contains(err.Error(), name+" has two owners") {
			t.Errorf("%s: %v", name, err)
		}
	}
}
