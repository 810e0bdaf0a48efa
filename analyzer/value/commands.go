package value

// Hidden stands in a word of a command for what only the shell would tell, such as $1.
const Hidden = "\x00"

// A Command is a command line with which the project runs the program.
type Command struct {
	Words []string // its arguments, in which [Hidden] may stand
	Place string   // where it is written: "run.sh:7"
}

// A CommandUse is an option that the commands of the project set, as they write it.
type CommandUse struct {
	Option string   // "--batch-size 64"
	Places []string // of the commands that pass it
	// Differs is set if the commands differ in the option: the program then has its default.
	Differs bool
}

// Commands are those with which the project runs a program, and what the evaluation took from them.
type Commands struct {
	ask   func() []Command
	all   []Command
	uses  []CommandUse
	noted map[string]bool
}

// Ask sets who knows them; they are asked for once, and only if the program reads options.
func (c *Commands) Ask(ask func() []Command) { c.ask = ask }

// All returns them.
func (c *Commands) All() []Command {
	if c.ask != nil {
		c.all, c.ask = c.ask(), nil
	}
	return c.all
}

// Use notes that an option was taken, the first time.
func (c *Commands) Use(u CommandUse) {
	if c.noted == nil {
		c.noted = map[string]bool{}
	}
	if !c.noted[u.Option] {
		c.noted[u.Option] = true
		c.uses = append(c.uses, u)
	}
}

// Uses are the options that were taken, in order.
func (c *Commands) Uses() []CommandUse { return c.uses }
