package memory

import (
	"fmt"
	"path"
	"runtime"
	"strings"

	"github.com/tfmem/tfmem/analyzer/account"
	"github.com/tfmem/tfmem/analyzer/memory/executor"
	"github.com/tfmem/tfmem/analyzer/value"
)

// Guard runs a part of a price. If that panics, the error is a cause with the code [value.Bug]: a
// bug of tfmem costs one price, and nothing else of the file. Memory of the pool that the part used
// is in no known state then, so it must not return it in a deferred call.
func Guard(price func() error) (err error) {
	defer func() {
		switch p := recover().(type) {
		case nil:
		case account.Spent, account.Interruption:
			panic(p)
		default:
			err = value.Because(value.Bug, "tfmem has a bug, please report it: %v (%s)", p, panicked())
		}
	}()
	return price()
}

// guarded is Guard for a part that takes memory of the pool.
func guarded(price func(l *executor.Lowered) error) error {
	return Guard(func() error {
		l := executor.Unused.Get().(*executor.Lowered)
		err := price(l)
		l.Free()
		return err
	})
}

// panicked returns the function and the line that panicked. A deferred function must call it.
func panicked() string {
	callers := make([]uintptr, 32)
	frames := runtime.CallersFrames(callers[:runtime.Callers(1, callers)])
	for panics := false; ; {
		frame, more := frames.Next()
		switch internal := strings.HasPrefix(frame.Function, "runtime."); {
		case internal:
			panics = true
		case panics:
			return fmt.Sprintf("%s, %s:%d", path.Base(frame.Function), path.Base(frame.File), frame.Line)
		}
		if !more {
			return "somewhere"
		}
	}
}
