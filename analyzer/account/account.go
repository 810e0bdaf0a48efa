// Package account bounds the work that the analysis of one file may take, in steps and in depth,
// never by the clock.
//
// Whatever follows values, calls or imports of a program enters the account at each step. Names may
// hold each other's values, functions may call themselves, and branches multiply: where a follower
// would never end, or would take the stack, the account ends it by a panic with a [Spent]. Whoever
// runs rules recovers that panic, so that it costs one rule and not the process. The package knows
// nothing of what is followed.
package account

import "github.com/tfmem/tfmem/analyzer/syntax"

const (
	// Steps is what one rule, or one fact that rules share, may take. The most that was seen in
	// 4,387 public files is an eighth of it.
	Steps = 1_000_000
	// Total is what all rules may take together in one check of a file.
	Total = 4 * Steps
	// depth bounds how deep followers may be nested, and with it the stack: the frames between two
	// entries hold about a kilobyte.
	depth = 20_000
	// asked is the number of steps after which an account asks whether to go on.
	asked = 64
)

// An Account counts what the current piece of work takes: a piece that [Account.Within] does, or else
// one outermost step. It is not safe for concurrent use.
type Account struct {
	// Interrupted returns why the work is to be given up, or nil; nil if nothing interrupts it.
	Interrupted func() error

	used, depth int
	total       int // of all work since Renew
	within      bool
	from        syntax.Node
}

// A Spent is the value of the panic that ends work which exceeds its account.
type Spent struct {
	From syntax.Node // the expression or statement from which values were followed
	Deep bool        // it was the depth that was exceeded
}

// An Interruption is the value of the panic that ends work which was interrupted.
type Interruption struct{ Err error }

// Enter charges a step that follows n, until Leave: defer a.Enter(n).Leave().
func (a *Account) Enter(n syntax.Node) *Account {
	if a.depth == 0 {
		a.from = n
		if !a.within {
			a.used = 0
		}
	}
	a.depth++
	a.used++
	a.total++
	if a.used%asked == 0 && a.Interrupted != nil {
		if err := a.Interrupted(); err != nil {
			panic(Interruption{err})
		}
	}
	if a.depth > depth || a.used > Steps || a.total > Total {
		panic(Spent{From: a.from, Deep: a.depth > depth})
	}
	return a
}

// Renew begins another check of the file.
func (a *Account) Renew() { a.total = 0 }

// Leave ends what Enter began.
func (a *Account) Leave() { a.depth-- }

// Within does a piece of work that has an account of its own: what it takes is not charged to the
// work around it. It returns what ended the work, or nil if it is complete. Interruptions pass.
func (a *Account) Within(do func()) (spent *Spent) {
	before := *a
	a.used, a.depth, a.within = 0, 0, true
	defer func() {
		a.used, a.depth, a.within, a.from = before.used, before.depth, before.within, before.from
		switch p := recover().(type) {
		case nil:
		case Spent:
			spent = &p
		default:
			panic(p)
		}
	}()
	do()
	return nil
}
