package value

// A Code is what is missing where something is not known: what a person would have to provide,
// or tfmem to learn.
type Code uint8

// The codes, each with a row in the table below.
const (
	NoCode Code = iota

	// What a person would have to provide.
	FileContents
	ColumnCount
	RowCount
	CategoryCount
	ArrayShape
	ArrayContents
	DataDependent
	BatchSize
	Environment
	CommandLine
	Settings
	Random

	// What the program would have to say.
	Parameter
	MissingArgument
	WrongType
	UndefinedName
	UndefinedAttribute
	UndecidedBranch
	UndecidedLoop
	Unordered
	NotReached
	NotBuilt
	NoTensor
	WillRaise
	KerasRaises
	SyntaxError

	// What tfmem would have to learn.
	ExternalName
	ExternalCall
	UnmodelledUse
	UnmodelledArgument
	UnmodelledOperation
	UnmodelledLayer
	UnmodelledTraining
	UnmodelledPython
	NumberRange
	Recursion
	TooLong
	Bug

	codeCount
)

// codes is what each code is called, and means: what is not known.
var codes = [codeCount]struct{ name, meaning string }{
	NoCode: {"unknown", "nothing says what is missing"},

	FileContents:  {"file-contents", "what is in a file, or a download, that tfmem does not read"},
	ColumnCount:   {"column-count", "how many columns a table has, or which"},
	RowCount:      {"row-count", "how many rows or items data have"},
	CategoryCount: {"category-count", "how many classes, categories or words are in data"},
	ArrayShape:    {"array-shape", "the shape or type of an array or tensor"},
	ArrayContents: {"array-contents", "the numbers in an array or tensor"},
	DataDependent: {"data-dependent-shape", "a shape that depends on numbers in the data"},
	BatchSize:     {"batch-size", "how many rows a batch has"},
	Environment:   {"environment", "an environment variable, a path, a version or a device of the machine that runs the program"},
	CommandLine:   {"command-line", "an argument of the command line without a default"},
	Settings:      {"settings", "a setting that the program reads and that nothing here gives a value"},
	Random:        {"random", "what is drawn at random, or measured in a run"},

	Parameter:          {"argument-unknown", "an argument of a function that nothing here calls"},
	MissingArgument:    {"argument-missing", "an argument that is not passed"},
	WrongType:          {"wrong-type", "what an operation makes of a value of this type"},
	UndefinedName:      {"undefined-name", "a name that nothing here gives a value"},
	UndefinedAttribute: {"undefined-attribute", "an attribute that the program does not define"},
	UndecidedBranch:    {"undecided-branch", "which branch runs"},
	UndecidedLoop:      {"data-dependent-loop", "how many iterations a loop has, or what a later one does"},
	Unordered:          {"unordered", "the order of items"},
	NotReached:         {"not-reached", "what code does that was not followed"},
	NotBuilt:           {"not-built", "what a layer or model needs to be complete: an input of known shape, a call of compile"},
	NoTensor:           {"no-tensor", "a tensor that comes from the inputs of the model or step"},
	WillRaise:          {"raises", "the result of what raises an error in Python"},
	KerasRaises:        {"tensorflow-raises", "the result of what raises an error in TensorFlow or Keras"},
	SyntaxError:        {"syntax-error", "what code means that does not parse"},

	ExternalName:        {"external-name", "a name of a library that tfmem does not model"},
	ExternalCall:        {"external-call", "the result of a library's function that tfmem does not model"},
	UnmodelledUse:       {"unmodelled-use", "an attribute, method or other use of an object that tfmem does not model"},
	UnmodelledArgument:  {"unmodelled-argument", "the effect of an argument that tfmem does not model"},
	UnmodelledOperation: {"unmodelled-operation", "the result of an operation on tensors that tfmem does not model"},
	UnmodelledLayer:     {"unmodelled-layer", "a layer or model that tfmem does not model"},
	UnmodelledTraining:  {"unmodelled-training", "a training step, loop or gradient that tfmem does not model"},
	UnmodelledPython:    {"unmodelled-python", "the result of an expression or statement that tfmem does not model"},
	NumberRange:         {"number-range", "a number that is too large, too precise or undefined"},
	Recursion:           {"recursion", "how often a function calls itself"},
	TooLong:             {"too-long", "what a program does beyond the steps that tfmem follows it for"},
	Bug:                 {"bug", "what tfmem would say if its own code had not failed"},
}

// String is the name of the code in tfmem's output: "file-contents".
func (c Code) String() string { return codes[c].name }

// Meaning is what is not known, in words.
func (c Code) Meaning() string { return codes[c].meaning }

// Codes are all codes but NoCode.
func Codes() []Code {
	all := make([]Code, 0, codeCount-1)
	for c := NoCode + 1; c < codeCount; c++ {
		all = append(all, c)
	}
	return all
}
