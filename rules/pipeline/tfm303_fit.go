package pipeline

import (
	"fmt"
	"slices"
	"strings"

	"github.com/tfmem/tfmem/analyzer/source"
	"github.com/tfmem/tfmem/analyzer/syntax"
	"github.com/tfmem/tfmem/rules/rule"
)

// parametersOf are the parameters of the methods that take arrays, in their order.
var parametersOf = map[string][]string{
	"fit":      strings.Fields("x y batch_size epochs verbose callbacks validation_split validation_data shuffle class_weight sample_weight"),
	"evaluate": strings.Fields("x y batch_size verbose sample_weight"),
	"predict":  strings.Fields("x batch_size verbose"),
}

// perArray are the parameters that a method takes beside arrays only, or for which a dataset counts
// its batches otherwise.
var perArray = []string{"steps_per_epoch", "steps", "validation_steps", "validation_batch_size"}

// fromPipeline offers to give a method a pipeline under the CPU instead of its arrays.
func fromPipeline(p *rule.Pass, c copied) []rule.Fix {
	method, list := calledMethod(c.call), c.call.Child(syntax.FieldArguments)
	statement := c.call.Ancestor(syntax.ExpressionStatement, syntax.ReturnStatement)
	info := p.File.Names()
	if !rule.Fixable(statement) || !p.StartsLine(statement) || statement.Ancestor(syntax.ForStatement, syntax.WhileStatement, syntax.FunctionDefinition).Is(syntax.ForStatement, syntax.WhileStatement) {
		return nil
	}
	given, rest, ok := argumentsOf(list, parametersOf[method])
	if !ok || !oneArrayEach(c, given) {
		return nil
	}
	text := func(name, otherwise string) string {
		if n := given[name]; n.Valid() && n.Text() != "None" {
			return n.Text()
		}
		return otherwise
	}
	var parts []syntax.Node
	for _, name := range []string{"x", "y", "sample_weight"} {
		if text(name, "") != "" {
			parts = append(parts, given[name])
		}
	}
	tf, imports := p.TensorFlow(info.ScopeOf(statement), statement), []source.Edit(nil)
	if tf == "" {
		edit, ok := p.ImportAlso("import tensorflow as tf", statement)
		if !ok {
			return nil
		}
		tf, imports = "tf", []source.Edit{edit}
	}
	slicesOf := func(of string) string { return tf + ".data.Dataset.from_tensor_slices(" + of + ")" }
	validation, split := text("validation_data", ""), text("validation_split", "0")
	if validation != "" || split == "0" || split == "0.0" {
		split = ""
	}
	batch := ".batch(" + text("batch_size", "32") + ")"
	indent, nl := p.IndentOf(statement), p.Newline()
	var made strings.Builder
	rows := "len(" + leaves(parts[0])[0].Text() + ")"
	train, held := tuple(sliced(parts, "")), ""
	if split != "" { // keras/src/trainers/data_adapters/array_slicing.py, train_validation_split
		at := p.FreeName("split", "first_of_validation")
		if at == "" {
			return nil
		}
		fmt.Fprintf(&made, "%s = int(%s * (1 - %s))%s%s", at, rows, split, nl, indent)
		rows, train, held = at, tuple(sliced(parts, "[:"+at+"]")), tuple(sliced(parts, "["+at+":]"))
	}
	fmt.Fprintf(&made, "with %s.device(%s/CPU:0%s):%s", tf, p.Quote(), p.Quote(), nl)
	name := p.FreeName(map[string][]string{
		"fit": {"train_data", "train_batches", "data_for_fit"}, "evaluate": {"test_data", "test_batches", "data_for_evaluate"}, "predict": {"batches", "batches_to_predict", "data_for_predict"},
	}[method]...)
	pipeline := slicesOf(train)
	applicability := rule.Safe
	if method == "fit" && text("shuffle", "True") != "False" {
		pipeline += ".shuffle(" + rows + ")"
		applicability = rule.Unsafe
	}
	fmt.Fprintf(&made, "%s%s%s = %s%s%s", indent, p.Indent(), name, pipeline, batch, nl)
	if validation == "" {
		validation = held
	} else if !given["validation_data"].Is(syntax.Tuple, syntax.Identifier) {
		return nil
	}
	if validation != "" && name != "" {
		other := p.FreeName("validation_batches", "data_for_validation")
		fmt.Fprintf(&made, "%s%s%s = %s%s%s", indent, p.Indent(), other, slicesOf(validation), batch, nl)
		rest = append(rest, "validation_data="+other)
	}
	if name == "" {
		return nil
	}
	made.WriteString(indent)
	separator, end := ", ", ""
	if first := list.FirstChild(); p.StartsLine(first) {
		separator = "," + nl + p.IndentOf(first)
		end = p.File.Source.Text()[lastOf(list).End() : list.End()-1]
	} else if strings.ContainsAny(list.Text(), "\r\n") {
		separator = "," + nl + strings.Repeat(" ", first.Start()-source.LineStart(p.File.Source.Text(), first.Start()))
	}
	arguments := strings.Join(append([]string{name}, rest...), separator) + end
	return rule.OneFix("Feed it by a pipeline in host memory", applicability, append(imports,
		source.Insert(statement.Start(), made.String()),
		source.Edit{Span: source.Span{Start: list.FirstChild().Start(), End: lastOf(list).End() + len(end)}, New: arguments},
	)...)
}

// argumentsOf returns the arguments that a pipeline replaces, by their names, and the others as they
// are written, by keyword. ok is false if not all are understood.
func argumentsOf(list syntax.Node, parameters []string) (given map[string]syntax.Node, rest []string, ok bool) {
	given = map[string]syntax.Node{}
	position := 0
	for a := range list.Children() {
		name, v := "", a
		switch a.Kind() {
		case syntax.Comment, syntax.ListSplat, syntax.DictionarySplat:
			return nil, nil, false
		case syntax.KeywordArgument:
			name, v = a.Child(syntax.FieldName).Text(), a.Child(syntax.FieldValue)
		default:
			if position == len(parameters) {
				return nil, nil, false
			}
			name = parameters[position]
			position++
		}
		switch {
		case slices.Contains(perArray, name):
			return nil, nil, false
		case slices.Contains([]string{"x", "y", "sample_weight", "batch_size", "shuffle", "validation_data", "validation_split"}, name):
			given[name] = v
		default:
			rest = append(rest, name+"="+v.Text())
		}
	}
	return given, rest, given["x"].Valid()
}

// oneArrayEach reports whether the data of a call are names of one array each, or lists and dicts of such, which a
// Dataset may slice together.
func oneArrayEach(c copied, given map[string]syntax.Node) bool {
	each := map[string]int{} // how many arrays an argument has
	for name, n := range given {
		switch name {
		case "x", "y", "sample_weight":
			arrays := leaves(n)
			if len(arrays) == 0 || n.Text() != "None" && slices.ContainsFunc(arrays, func(array syntax.Node) bool { return !array.Is(syntax.Identifier, syntax.Attribute, syntax.Subscript) }) {
				return false
			}
			each[name+" of "+calledMethod(c.call)+"()"] = len(arrays)
		}
	}
	many, parts := map[string]int{}, 1
	if given["validation_split"].Valid() {
		parts = 2
	}
	for _, term := range c.arrays {
		if many[term.What]++; many[term.What] > parts*max(each[term.What], 1) && !strings.HasPrefix(term.What, "validation_data") {
			return false
		}
	}
	return true
}

// sliced writes some data with a slice of each array. A list becomes a tuple, as Keras makes of it: a Dataset would
// make one array of a list (keras/src/trainers/data_adapters/data_adapter_utils.py, list_to_tuple).
func sliced(of []syntax.Node, slice string) (out []string) {
	for _, n := range of {
		switch n.Kind() {
		case syntax.List, syntax.Tuple:
			var items []string
			for _, item := range leaves(n) {
				items = append(items, item.Text()+slice)
			}
			if len(items) == 1 {
				items[0] += ","
			}
			out = append(out, "("+strings.Join(items, ", ")+")")
		case syntax.Dictionary:
			var items []string
			for pair := range n.Children() {
				items = append(items, pair.FirstChild().Text()+": "+pair.Child(syntax.FieldValue).Text()+slice)
			}
			out = append(out, "{"+strings.Join(items, ", ")+"}")
		default:
			out = append(out, n.Text()+slice)
		}
	}
	return out
}

// leaves returns the arrays of an argument: itself, or the items of a list, a tuple or a dict.
func leaves(n syntax.Node) (all []syntax.Node) {
	switch n.Kind() {
	case syntax.List, syntax.Tuple:
		return slices.Collect(n.Children())
	case syntax.Dictionary:
		for pair := range n.Children() {
			all = append(all, pair.Child(syntax.FieldValue))
		}
		return all
	}
	return []syntax.Node{n}
}

// tuple writes the elements of a tuple, or the one that there is.
func tuple(parts []string) string {
	if len(parts) == 1 {
		return parts[0]
	}
	return "(" + strings.Join(parts, ", ") + ")"
}

func lastOf(list syntax.Node) (last syntax.Node) {
	for a := range list.Children() {
		last = a
	}
	return last
}
