// Package python has the Python of the wheel that tfmem itself needs as well.
package python

import _ "embed"

// Observe is the text of the module that describes live values.
//
//go:embed tfmem/observe.py
var Observe []byte

// Trace is the text of the module that traces a step.
//
//go:embed tfmem/trace.py
var Trace []byte

// Verify is the text of the module that measures a step.
//
//go:embed tfmem/verify.py
var Verify []byte
