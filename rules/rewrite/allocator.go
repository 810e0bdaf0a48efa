package rewrite

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/tfmem/tfmem/analyzer/effects"
	"github.com/tfmem/tfmem/analyzer/names"
	"github.com/tfmem/tfmem/analyzer/source"
	"github.com/tfmem/tfmem/analyzer/syntax"
)

// CudaMallocAsync changes the allocator.
var CudaMallocAsync = &Rewrite{
	Name:  "cuda-malloc-async",
	Title: "Use the allocator cuda_malloc_async",
	What: `
Sets TF_GPU_ALLOCATOR to cuda_malloc_async before TensorFlow is imported. Tensors
then come from the driver's own memory pool. It grows by itself, and can merge
what TensorFlow's own allocator has split, so that a program whose memory is
fragmented (enough free memory, but not in one piece) may go on.

It is offered in a script or notebook, at the import of TensorFlow, at a call of a
model's method, and in a loop that trains.`,
	Changes: `
The results stay the same. Processes that the program starts inherit the variable.
It needs CUDA 11.2 or newer and TensorFlow 2.5 or newer. It does not work with
logical devices, and is not offered where they are configured. Without a GPU it
does nothing.`,
	Before: `
import numpy as np
import tensorflow as tf` + Here + `

model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
model.compile(optimizer="adam", loss="mse")
model.fit(np.zeros((8, 4)), np.zeros((8, 1)))`,
	After: `
import os

os.environ["TF_GPU_ALLOCATOR"] = "cuda_malloc_async"

import numpy as np
import tensorflow as tf

model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
model.compile(optimizer="adam", loss="mse")
model.fit(np.zeros((8, 4)), np.zeros((8, 1)))`,
	Triggers: []string{"tensorflow", "keras"},
	Check:    checkAllocator,
}

func checkAllocator(p *Place) (Change, error) {
	at := statement(p.node())
	if !isImport(at) || !effects.Mentioned(at.Text()) {
		if _, err := p.work(); err != nil {
			return Change{}, errors.New("this is neither an import of TensorFlow nor code that trains or uses a model")
		}
	}
	program := p.File.Flow()
	runs := program.Script
	for t, e := range program.Events() {
		switch {
		case e.Effects.Has(effects.SetsEnvironment) && e.Key == "TF_GPU_ALLOCATOR":
			return Change{}, fmt.Errorf("TF_GPU_ALLOCATOR is set already, on %s", p.line(e.Node))
		case e.Effects.Has(effects.SetsLogical):
			return Change{}, fmt.Errorf("the logical devices of %s cannot use this allocator", p.line(e.Node))
		case t == program.Module && e.Effects.Has(effects.Initialises|effects.MakesAllocator):
			runs = true
		}
	}
	if !runs {
		return Change{}, errors.New("other files import this one; set the variable in the script that is run")
	}
	edit, err := p.setFirst("TF_GPU_ALLOCATOR", "cuda_malloc_async")
	return Change{Edits: []source.Edit{edit}}, err
}

func isImport(n syntax.Node) bool {
	return n.Is(syntax.ImportStatement, syntax.ImportFromStatement)
}

// setFirst sets an environment variable before any import that may import TensorFlow.
func (p *Place) setFirst(variable, value string) (source.Edit, error) {
	var last, first syntax.Node // of what may stay before, and of what must come after
	for s := range p.File.Tree.Statements() {
		if staysFirst(s) || s.Kind() == syntax.Comment {
			if s.Kind() != syntax.Comment {
				last = s
			}
			continue
		}
		first = s
		break
	}
	if !first.Valid() {
		return source.Edit{}, errors.New("nothing here imports TensorFlow at module level")
	}
	q, nl := p.Quote(), p.Newline()
	os, text := p.Bound("os", p.File.Names().Module, first), ""
	if os == "" {
		if !p.importable("os") {
			return source.Edit{}, errors.New("the name os means something else here")
		}
		os, text = "os", "import os"+nl+nl
	}
	text += os + ".environ[" + q + variable + q + "] = " + q + value + q
	return p.between(last, first, text)
}

// importable reports whether a module's own name stands for it, or for nothing.
func (p *Place) importable(module string) bool {
	if p.FreeName(module) != "" {
		return true
	}
	info := p.File.Names()
	bindings := info.Module.Bindings(module)
	return len(bindings) > 0 && !slices.ContainsFunc(bindings, func(b *names.Binding) bool {
		return b.Kind != names.ImportBinding || info.Meaning(b) != module
	})
}

// between inserts a paragraph between two statements of the module. last may be none.
func (p *Place) between(last, first syntax.Node, text string) (source.Edit, error) {
	nl := p.Newline()
	if last.Valid() && p.Cell(last.Start()) == p.Cell(first.Start()) {
		if !p.EndsLine(last) || !p.StartsLine(first) {
			return source.Edit{}, errors.New("the imports share a line")
		}
		at := p.LineEnd(last)
		text = nl + nl + text
		if !p.BlankAfter(last) {
			text += nl
		}
		return source.Insert(at, text), nil
	}
	for c := range p.File.Tree.Statements() { // its own comments stay with it
		if c.Kind() == syntax.Comment && c.Start() < first.Start() && strings.Trim(p.File.Source.Slice(source.Span{Start: p.Lines(c).End, End: first.Start()}), " \t") == "" && !strings.HasPrefix(c.Text(), "#!") && p.Cell(c.Start()) == p.Cell(first.Start()) {
			first = c
			break
		}
	}
	if !p.StartsLine(first) {
		return source.Edit{}, errors.New("the imports share a line")
	}
	return source.Insert(first.Start(), text+nl+nl), nil
}

// importFirst imports a module of the standard library, among the other such imports at the top of
// the file or above all imports.
func (p *Place) importFirst(module string) (source.Edit, error) {
	if !p.importable(module) {
		return source.Edit{}, fmt.Errorf("the name %s means something else here", module)
	}
	var last, first syntax.Node // of the standard library, and after it
	for s := range p.File.Tree.Statements() {
		if !isImport(s) && !staysFirst(s) && s.Kind() != syntax.Comment {
			break
		}
		if !isImport(s) {
			continue
		}
		if first = s; !staysFirst(s) || s.Text() > "import "+module {
			break
		}
		last = s
	}
	line := "import " + module
	switch {
	case !first.Valid() || first.HasError() || !p.StartsLine(first):
		return source.Edit{}, errors.New("the file does not begin with imports")
	case last.Valid() && p.StartsLine(last) && p.EndsLine(last):
		return p.insertAfter(last, line), nil
	case staysFirst(first):
		return p.insertBefore(first, line), nil
	}
	return p.insertBefore(first, line, ""), nil
}

// staysFirst reports whether a statement of the module surely does not import TensorFlow and may
// stay before what must run first: the docstring, imports of the standard library, environment
// variables.
func staysFirst(s syntax.Node) bool {
	switch s.Kind() {
	case syntax.FutureImportStatement:
		return true
	case syntax.ExpressionStatement:
		c := s.FirstChild()
		return c.Kind() == syntax.String || c.Kind() == syntax.Assignment && strings.HasPrefix(c.Child(syntax.FieldLeft).Text(), "os.environ[") && c.Child(syntax.FieldRight).Kind() == syntax.String
	case syntax.ImportFromStatement:
		return isStandard(s.Child(syntax.FieldModuleName).Text())
	case syntax.ImportStatement:
		for c := range s.Children() {
			if c.Kind() == syntax.AliasedImport {
				c = c.Child(syntax.FieldName)
			}
			if !isStandard(c.Text()) {
				return false
			}
		}
		return true
	}
	return false
}

func isStandard(module string) bool {
	first, _, _ := strings.Cut(module, ".")
	return standard[first]
}

// standard are modules of the standard library that training scripts import.
var standard = func() map[string]bool {
	out := map[string]bool{}
	for name := range strings.FieldsSeq(`abc argparse array ast asyncio base64 bisect builtins bz2 calendar cmath codecs collections
		concurrent configparser contextlib contextvars copy csv ctypes dataclasses datetime decimal difflib enum errno fnmatch fractions
		functools gc getopt getpass glob gzip hashlib heapq html http importlib inspect io ipaddress itertools json keyword linecache
		locale logging lzma math mimetypes multiprocessing numbers operator os pathlib pickle pkgutil platform pprint queue random re
		sched secrets select shelve shlex shutil signal site socket sqlite3 ssl statistics string struct subprocess sys sysconfig tarfile
		tempfile textwrap threading time timeit token tokenize traceback types typing unicodedata unittest urllib uuid warnings weakref
		xml zipfile zlib __future__`) {
		out[name] = true
	}
	return out
}()
