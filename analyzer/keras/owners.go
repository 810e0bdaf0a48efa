package keras

import (
	"fmt"
	"slices"
	"strings"

	"github.com/tfmem/tfmem/analyzer/arrays"
	"github.com/tfmem/tfmem/analyzer/library"
	"github.com/tfmem/tfmem/analyzer/value"
)

// A hostCall is a call of a function or a class of a library.
type hostCall struct {
	h    *host
	in   *value.Interp
	name string // qualified
	args *value.Args
}

// below returns the name without that of a module that it is in.
func (c *hostCall) below(module string) string { return strings.TrimPrefix(c.name, module+".") }

// An owner answers the calls of a name, or of a family of names. It returns the empty value for
// arguments that it does not answer for.
type owner func(c *hostCall) value.Value

type table = library.Table[owner]

// ownerTables are all owners of this package. Those of package arrays join them.
var ownerTables = []table{
	hostTable, settingTable, policyTable, structureTable, branchTable, loopTable, strategyTable, copyTable, addonTable, tunerTable, einopsTable,
	dataTable, applicationTable, optimizerTable, familyTable, initializerTable, onTensorsTable,
}

// Rows of families whose names are those of functions on tensors, or of operations that are not
// followed.
var onTensorsTable = table{"tensorflow.*": onTensors, "numpy.*": onTensors, "einops.*": onTensors}

type registries struct {
	owners    *library.Registry[owner]
	functions map[string]function // by the names of their rows
}

var loaded func() registries

func init() { loaded = library.Once(load) } // the tables' functions call loaded

func load() (r registries, err error) {
	ofArrays := table{}
	for _, name := range arrays.Owned() {
		ofArrays[name] = onArrays
	}
	tables := append(slices.Clone(ownerTables), ofArrays)
	if r.owners, err = library.New(tables...); err != nil {
		return r, err
	}
	r.functions = map[string]function{}
	for _, rows := range functionTables {
		for _, row := range rows {
			for name := range strings.FieldsSeq(row.names) {
				if r.functions[name] != nil {
					return r, fmt.Errorf("%s has two owners among the functions on tensors", name)
				}
				r.functions[name] = row.f
			}
		}
	}
	return r, nil
}

// onArrays leaves a call to package arrays.
func onArrays(c *hostCall) value.Value {
	v, _ := c.h.arrays.Call(c.in, c.name, c.args)
	return v
}
