package pipeline

import (
	"slices"

	"github.com/tfmem/tfmem/analyzer/names"
	"github.com/tfmem/tfmem/analyzer/syntax"
	"github.com/tfmem/tfmem/rules/rule"
)

// servers are the classes whose methods decorate the functions that answer requests, and resources
// those whose subclasses answer them with methods.
var (
	servers   = []string{"flask.Flask", "flask.Blueprint", "fastapi.FastAPI", "fastapi.APIRouter", "quart.Quart", "quart.Blueprint", "sanic.Sanic", "bottle.Bottle"}
	resources = []string{"flask_restful.Resource", "flask_restx.Resource", "flask.views.MethodView"}
	answering = []string{"get", "post", "put", "patch", "delete"}
)

// answers reports whether a web server calls a function for each request.
func answers(info *names.Info, f *names.Function) bool {
	if f == nil || f.Info != info {
		return false
	}
	if f.Class != nil {
		return slices.Contains(answering, f.Name) && slices.Contains(resources, info.LibraryBase(f.Class))
	}
	return slices.ContainsFunc(f.Decorators, func(d syntax.Node) bool {
		if d.Kind() != syntax.Call || rule.Method(d) != "route" && !slices.Contains(answering, rule.Method(d)) {
			return false
		}
		made := info.DefiningExpr(d.Child(syntax.FieldFunction).Child(syntax.FieldObject))
		return made.Kind() == syntax.Call && slices.Contains(servers, info.Callee(made))
	})
}
