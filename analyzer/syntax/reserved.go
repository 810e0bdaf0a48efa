package syntax

import (
	"slices"
	"strings"
)

// reserved are the words that Python takes for no name (keyword.kwlist). tree-sitter takes some of them,
// as in "import tensorflow as import".
var reserved = strings.Fields(`False None True and as assert async await break class continue def del elif else except
	finally for from global if import in is lambda nonlocal not or pass raise return try while with yield`)

// Reserved reports whether a word is no name in Python, though it is written like one.
func Reserved(word string) bool { return slices.Contains(reserved, word) }
