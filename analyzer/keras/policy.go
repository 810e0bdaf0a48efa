package keras

import (
	"strings"

	"github.com/tfmem/tfmem/analyzer/value"
)

// A policyValue is a dtype policy as an object. Its name is accepted wherever a policy is
// (keras/src/dtype_policies/dtype_policy.py, get).
type policyValue struct {
	opaque
	name string
}

func (h *host) newPolicy(name string) value.Value {
	return value.Value{X: &policyValue{opaque{"a dtype policy"}, name}}
}

func (p *policyValue) GetAttr(in *value.Interp, name string) (value.Value, bool) {
	computes, stores := types(p.name)
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
	return p.base.GetAttr(in, name)
}

// policyName returns the name of a policy, given as a name or as an object.
func policyName(v value.Value) (string, bool) {
	switch x := v.X.(type) {
	case string:
		return x, true
	case *policyValue:
		return x.name, true
	}
	return "", false
}

// policyTable are the functions that create policies or return the program's.
var policyTable = table{
	"tensorflow.keras.mixed_precision.global_policy": globalPolicy, "tensorflow.keras.mixed_precision.experimental.global_policy": globalPolicy,
	"tensorflow.keras.config.dtype_policy": globalPolicy, "tensorflow.keras.mixed_precision.dtype_policy": globalPolicy,
	"tensorflow.keras.mixed_precision.Policy": namedPolicy, "tensorflow.keras.mixed_precision.experimental.Policy": namedPolicy,
	"tensorflow.keras.DTypePolicy": namedPolicy, "tensorflow.keras.dtype_policies.DTypePolicy": namedPolicy,
	"tensorflow.keras.dtype_policies.get": namedPolicy, "tensorflow.keras.dtype_policies.deserialize": namedPolicy,
}

func globalPolicy(c *hostCall) value.Value { return c.h.newPolicy(c.h.dtypePolicy()) }

func namedPolicy(c *hostCall) value.Value {
	given, ok := c.args.Get(0, "name")
	if !ok {
		given, ok = c.args.Get(0, "identifier")
	}
	if _, none := given.X.(value.None); none || !ok {
		return globalPolicy(c)
	}
	if policy, ok := policyName(given); ok {
		return c.h.newPolicy(policy)
	}
	if given.Cause() == nil {
		return value.Value{}
	}
	return given
}

// computes returns the type in which layers compute under the policy.
func (h *host) computes() DType {
	d, _ := types(h.dtypePolicy())
	return d
}

// types returns the types in which a layer computes and stores its variables under a policy
// (keras/src/dtype_policies/dtype_policy.py, _parse_name).
func types(policy string) (computes, stores DType) {
	if low, mixed := strings.CutPrefix(policy, "mixed_"); mixed {
		return DType(low), "float32"
	}
	if d := DType(policy); d.Floating() {
		return d, d
	}
	return "float32", "float32" // integers, which preprocessing layers name
}
