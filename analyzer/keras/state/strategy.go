package state

import "github.com/tfmem/tfmem/analyzer/value"

// A Distribution is how a strategy divides a batch.
type Distribution struct {
	Strategy value.Base // its name in reasons
	// Replicas is the number of replicas; 0 if why says why that is not known.
	Replicas int64
	Why      *value.Cause
	Standard bool // the default one, if the program creates none
}

// Strategies are the strategies of tf.distribute that a program makes.
type Strategies struct {
	made     []*Distribution
	scopes   Scopes[*Distribution]
	scoped   bool // a scope was ever entered
	expected bool // the module makes a strategy somewhere
	running  int  // the nested calls of Strategy.run in progress
}

// Expect records that the module makes a strategy somewhere.
func (s *Strategies) Expect() { s.expected = true }

// Missing reports whether the code that makes the expected strategy did not run.
func (s *Strategies) Missing() bool { return s.expected && len(s.made) == 0 }

// Make records that the program makes a strategy.
func (s *Strategies) Make(d *Distribution) { s.made = append(s.made, d) }

// Enter begins the scope of a strategy, and Leave ends it.
func (s *Strategies) Enter(d *Distribution) {
	s.scopes.Enter(d)
	s.scoped = true
}

func (s *Strategies) Leave() { s.scopes.Leave() }

// Run runs a function on the replicas of a strategy.
func (s *Strategies) Run(d *Distribution, run func() value.Value) value.Value {
	s.Enter(d)
	defer s.Leave()
	s.running++
	defer func() { s.running-- }()
	return run()
}

// Current returns the strategy of the current scope. known is false if the program makes a strategy
// and no scope of one is known.
func (s *Strategies) Current() (d *Distribution, known bool) {
	if d := s.scopes.Inner(); d != nil {
		return d, true
	}
	return nil, !s.expected || s.scoped
}

// Sharing returns how many replicas share the batch of the running code, or why that is not known.
func (s *Strategies) Sharing() (n int64, why *value.Cause) {
	if s.running == 0 {
		return 1, nil
	}
	d := s.scopes.Inner()
	return d.Replicas, d.Why
}

// Common returns the number of replicas that all strategies have, or why that is not known; 0 if there
// are none.
func (s *Strategies) Common() (n int64, why *value.Cause) {
	for i, d := range s.made {
		switch {
		case d.Why != nil:
			n, why = 0, d.Why
		case i == 0:
			n = d.Replicas
		case why == nil && n != d.Replicas:
			n, why = 0, value.Because(value.UnmodelledTraining, "the program makes strategies of different numbers of replicas, and under which of them it trains is not known")
		}
	}
	return n, why
}

// Scopes are those that the program has entered, the innermost last.
type Scopes[T any] struct{ entered []T }

func (s *Scopes[T]) Enter(x T) { s.entered = append(s.entered, x) }

func (s *Scopes[T]) Leave() { s.entered = s.entered[:max(len(s.entered)-1, 0)] }

// Inner returns the innermost scope, or the zero value.
func (s *Scopes[T]) Inner() (x T) {
	if n := len(s.entered); n > 0 {
		return s.entered[n-1]
	}
	return x
}
