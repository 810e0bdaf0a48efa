package account

import (
	"errors"
	"testing"

	"github.com/tfmem/tfmem/analyzer/syntax"
)

// deep enters so many steps inside one another, and across enters them one after the other.
func deep(a *Account, n int) {
	if n > 0 {
		defer a.Enter(syntax.Node{}).Leave()
		deep(a, n-1)
	}
}

func across(a *Account, n int) {
	for range n {
		a.Enter(syntax.Node{}).Leave()
	}
}

func TestWithin(t *testing.T) {
	var a Account
	for name, c := range map[string]struct {
		do    func()
		spent bool
	}{
		"few steps":    {func() { across(&a, 1000) }, false},
		"all steps":    {func() { across(&a, Steps) }, false},
		"one more":     {func() { across(&a, Steps+1) }, true},
		"deep":         {func() { deep(&a, depth) }, false},
		"deeper":       {func() { deep(&a, depth+1) }, true},
		"deep, twice":  {func() { deep(&a, depth); deep(&a, depth) }, false},
		"of its own":   {func() { across(&a, Steps/2); a.Within(func() { across(&a, Steps) }); across(&a, Steps/2) }, false},
		"what is left": {func() { across(&a, Steps/2); a.Within(func() { across(&a, Steps) }); across(&a, Steps/2+1) }, true},
		"spent inside": {func() { a.Within(func() { deep(&a, depth+1) }); deep(&a, depth) }, false},
		"more than Total": {func() {
			a.Within(func() { across(&a, Steps) })
			a.Within(func() { across(&a, Steps) })
			a.Within(func() { across(&a, Steps) })
			across(&a, Steps+1)
		}, true},
		"spent, then none": {func() { across(&a, Total) }, true},
	} {
		a.Renew()
		if spent := a.Within(c.do); (spent != nil) != c.spent {
			t.Errorf("%s: %v", name, spent)
		}
		if a.depth != 0 || a.used != 0 || a.within {
			t.Errorf("%s leaves %+v", name, a)
		}
	}
}

// TestOutside: outside of Within, each outermost step has an account of its own.
func TestOutside(t *testing.T) {
	var a Account
	for range 3 {
		across(&a, Steps)
		a.Renew()
	}
}

// TestInterrupted: an interruption ends all the work, and the account is as before.
func TestInterrupted(t *testing.T) {
	stop := errors.New("stop")
	a := Account{Interrupted: func() error { return stop }}
	defer func() {
		if p, ok := recover().(Interruption); !ok || p.Err != stop {
			t.Errorf("it ended with %v", p)
		}
		if a.depth != 0 || a.within {
			t.Errorf("it leaves %+v", a)
		}
	}()
	a.Within(func() { a.Within(func() { deep(&a, 1000) }) })
	t.Error("it went on")
}
