package observed

import (
	"bytes"
	"errors"
	"fmt"
	"io"
)

// A Dump is what a process wrote when it was stopped before a step.
type Dump struct {
	Python     string  `json:"python"`
	TensorFlow string  `json:"tensorflow"`
	Keras      string  `json:"keras"`
	TFKeras    string  `json:"tf_keras"`
	Event      *Event  `json:"event"`
	Events     []Event `json:"events"` // those before it, which did not stop the process
	Frames     []Frame `json:"frames"` // outermost first
	Modules    []Frame `json:"modules"`
	Cut        bool    `json:"cut"` // it does not hold all
}

// An Event is a step.
type Event struct {
	Kind  string `json:"kind"`
	File  string `json:"file"`
	Cell  string `json:"cell"`
	Line  int    `json:"line"`
	Batch *Spec  `json:"batch"`
	Steps *int64 `json:"steps"`
	// Batches is how many batches the run made to look for the largest, where the dataset leaves sizes
	// open; nil elsewhere.
	Batches *int64 `json:"batches"`
	Model   *Value `json:"model"`
	// Step is the step as TensorFlow traced it; nil where the model's configuration says all of it.
	Step *Step `json:"step"`
	// Measured is what a step on a small batch took; nil if none was run for that.
	Measured *Measured `json:"measured"`
	// Policy is the global dtype policy.
	Policy string `json:"policy"`
}

// Measured is what a step took by TensorFlow's own account, or why it is not known.
type Measured struct {
	Examples int64  `json:"examples"` // in the batch
	Bytes    int64  `json:"bytes"`
	Why      string `json:"why"`
}

// A Frame is a function that runs, or a module.
type Frame struct {
	File     string            `json:"file"` // absolute
	Cell     string            `json:"cell"` // the text of a notebook's cell, instead of a file
	Function string            `json:"function"`
	First    int               `json:"first"` // line of the function
	Line     int               `json:"line"`
	Names    map[string]*Value `json:"names"`
}

// ReadDump reads and checks a dump.
func ReadDump(r io.Reader) (*Dump, error) {
	d := &Dump{}
	if err := decode(r, mostDumpBytes, d); err != nil {
		return nil, err
	}
	if len(d.Events) > mostItems || len(d.Frames) > mostItems || len(d.Modules) > mostItems {
		return nil, errors.New("it has too many frames")
	}
	names := 0
	for _, frames := range [][]Frame{d.Frames, d.Modules} {
		for _, f := range frames {
			if names += len(f.Names); names > 10*mostNames {
				return nil, fmt.Errorf("it has more than %d names", 10*mostNames)
			}
			if err := checkNamed(f.Names, mostDepth+1); err != nil {
				return nil, err
			}
		}
	}
	for _, e := range d.events() {
		if err := errors.Join(e.Batch.check(mostDepth), size("steps", e.Steps, 0), size("batches", e.Batches, 0), e.Model.check(mostDepth), e.Step.check()); err != nil {
			return nil, err
		}
	}
	return d, nil
}

// events are all steps of the dump.
func (d *Dump) events() []Event {
	if d.Event == nil {
		return d.Events
	}
	return append(d.Events[:len(d.Events):len(d.Events)], *d.Event)
}

// Read reads what may be either: a file of observations, or a dump, which has frames or modules in
// place of a version.
func Read(data []byte) (*File, *Dump, error) {
	var is struct {
		Version *int `json:"version"`
	}
	if err := decode(bytes.NewReader(data), MostBytes, &is); err != nil {
		return nil, nil, err
	}
	if is.Version == nil {
		d, err := ReadDump(bytes.NewReader(data))
		return nil, d, err
	}
	f, err := Load(bytes.NewReader(data))
	return f, nil, err
}
