package rule

import (
	"errors"
	"fmt"
	"strings"

	"github.com/tfmem/tfmem/analyzer/names"
	"github.com/tfmem/tfmem/analyzer/source"
	"github.com/tfmem/tfmem/analyzer/syntax"
)

// MeanCompiled says why the loss that compile is given is not known to be a mean over the examples
// of a batch. By default Keras computes that mean: it averages a function's values
// (keras/src/trainers/compile_utils.py, get_loss). The result is empty if the loss is known to be a
// mean.
func MeanCompiled(info *names.Info, loss syntax.Node) string {
	switch {
	case !loss.Valid():
		return "the model is compiled without a loss that is seen here"
	case loss.Kind() == syntax.String, info.Target(loss).Function != nil:
		return ""
	case loss.Kind() != syntax.Call && strings.HasPrefix(info.Qualified(loss), "tensorflow.keras.losses."):
		return ""
	}
	if class := info.TypeOf(loss).Class; strings.HasPrefix(class, "tensorflow.keras.losses.") {
		if made := info.DefiningExpr(loss); made.Kind() == syntax.Call && !names.HasSplat(made) && !names.Argument(made, -1, "reduction").Valid() {
			return ""
		}
	}
	return "it is not known whether the loss is a mean over the examples of a batch"
}

// Accumulate returns the edit that makes the optimizer of a call of compile average the gradients
// of this many batches before it applies them, as Keras 3 can
// (keras/src/optimizers/base_optimizer.py, _backend_apply_gradients). made is the call that creates
// the optimizer, or none if compile is given the name of its class.
func (p *Pass) Accumulate(compile, made syntax.Node, class string, batches int64) (source.Edit, error) {
	info := p.File.Names()
	argument := fmt.Sprintf("gradient_accumulation_steps=%d", batches)
	if named := names.Argument(compile, 0, "optimizer"); named.Kind() == syntax.String {
		keras := p.Keras(info.ScopeOf(compile), compile)
		if class == "" || keras == "" {
			return source.Edit{}, fmt.Errorf("what the optimizer %s is cannot be written out here", named.Text())
		}
		return source.Edit{Span: Span(named), New: keras + ".optimizers." + class + "(" + argument + ")"}, nil
	}
	if !made.Valid() || !p.Here(made) || !Fixable(made) || names.HasSplat(made) {
		return source.Edit{}, errors.New("the optimizer is not one of Keras's that is made in this file")
	}
	if rate := names.Argument(made, 0, "learning_rate"); rate.Valid() && !Constant(info, rate) {
		return source.Edit{}, errors.New("the learning rate is not a number in this file; a schedule counts batches, of which there will be more")
	}
	at, before := made.Child(syntax.FieldArguments).Start()+len("("), ""
	for a := range made.Child(syntax.FieldArguments).Children() {
		if a.Kind() == syntax.Comment {
			return source.Edit{}, errors.New("the optimizer has comments among its arguments")
		}
		switch name := a.Child(syntax.FieldName).Text(); name {
		case "gradient_accumulation_steps":
			return source.Edit{}, errors.New("the optimizer accumulates gradients already")
		case "use_ema":
			return source.Edit{}, errors.New("the moving average of use_ema counts batches, of which there will be more")
		case "lr", "decay":
			return source.Edit{}, fmt.Errorf("gradient_accumulation_steps needs Keras 3, and the argument %s is of Keras 2", name)
		}
		at, before = a.End(), ", "
	}
	return source.Insert(at, before+argument), nil
}
