package state

import (
	"strings"

	"github.com/tfmem/tfmem/analyzer/syntax"
	"github.com/tfmem/tfmem/analyzer/tensor"
	"github.com/tfmem/tfmem/analyzer/value"
)

// A policyValue is a dtype policy as an object. Its name is accepted wherever a policy is
// (keras/src/dtype_policies/dtype_policy.py, get).
type policyValue struct {
	Opaque
	name string
}

func (h *Host) NewPolicy(name string) value.Value {
	return value.Value{X: &policyValue{Opaque{"a dtype policy"}, name}}
}

func (p *policyValue) GetAttr(in *value.Interp, name string) (value.Value, bool) {
	computes, stores := TypesOf(p.name)
	switch name {
	case "name", "_name":
		return value.Value{X: p.name}, true
	case "compute_dtype":
		return value.Value{X: string(computes)}, true
	case "variable_dtype":
		return value.Value{X: string(stores)}, true
	case "quantization_mode":
		return value.Value{X: value.None{}}, true
	}
	return p.Base.GetAttr(in, name)
}

// PolicyName returns the name of a policy, given as a name or as an object.
func PolicyName(v value.Value) (string, bool) {
	switch x := v.X.(type) {
	case string:
		return x, true
	case *policyValue:
		return x.name, true
	}
	return "", false
}

// PolicyTable are the functions that create policies or return the program's.
var PolicyTable = Table{
	"tensorflow.keras.mixed_precision.global_policy": globalPolicy, "tensorflow.keras.mixed_precision.experimental.global_policy": globalPolicy,
	"tensorflow.keras.config.dtype_policy": globalPolicy, "tensorflow.keras.mixed_precision.dtype_policy": globalPolicy,
	"tensorflow.keras.mixed_precision.Policy": namedPolicy, "tensorflow.keras.mixed_precision.experimental.Policy": namedPolicy,
	"tensorflow.keras.DTypePolicy": namedPolicy, "tensorflow.keras.dtype_policies.DTypePolicy": namedPolicy,
	"tensorflow.keras.dtype_policies.get": namedPolicy, "tensorflow.keras.dtype_policies.deserialize": namedPolicy,
}

func globalPolicy(c *Call) value.Value { return c.H.NewPolicy(c.H.DTypePolicy(c.Args.Node)) }

func namedPolicy(c *Call) value.Value {
	given, ok := c.Args.Get(0, "name")
	if !ok {
		given, ok = c.Args.Get(0, "identifier")
	}
	if _, none := given.X.(value.None); none || !ok {
		return globalPolicy(c)
	}
	if policy, ok := PolicyName(given); ok {
		return c.H.NewPolicy(policy)
	}
	if given.Cause() == nil {
		return value.Value{}
	}
	return given
}

// Computes returns the type in which layers compute under the policy of the package that a call or a
// class names.
func (h *Host) Computes(made syntax.Node) tensor.DType {
	d, _ := TypesOf(h.DTypePolicy(made))
	return d
}

// TypesOf returns the types in which a layer computes and stores its variables under a policy
// (keras/src/dtype_policies/dtype_policy.py, _parse_name).
func TypesOf(policy string) (computes, stores tensor.DType) {
	if _, source, quantized := strings.Cut(policy, "_from_"); quantized {
		return TypesOf(source) // keras/src/dtype_policies/dtype_policy.py, QuantizedDTypePolicy
	}
	if low, mixed := strings.CutPrefix(policy, "mixed_"); mixed {
		return tensor.DType(low), "float32"
	}
	if d := tensor.DType(policy); d.Floating() {
		return d, d
	}
	return "float32", "float32" // integers, which preprocessing layers name
}
