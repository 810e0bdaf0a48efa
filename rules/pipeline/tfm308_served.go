package pipeline

import (
	"slices"
	"strings"

	"github.com/tfmem/tfmem/analyzer/facts"
	"github.com/tfmem/tfmem/analyzer/names"
	"github.com/tfmem/tfmem/analyzer/syntax"
	"github.com/tfmem/tfmem/rules/rule"
)

// How often a library calls a function of the program that it is given, as messages say it.
const (
	eachRequest = "in every request"
	eachMessage = "with every message"
	eachItem    = "for each item"
)

// decorators are the classes whose methods decorate functions that are called again and again.
var decorators = map[string]struct {
	methods []string
	when    string
}{
	"flask.Flask":                         {routes, eachRequest},
	"flask.Blueprint":                     {routes, eachRequest},
	"fastapi.FastAPI":                     {routes, eachRequest},
	"fastapi.APIRouter":                   {routes, eachRequest},
	"quart.Quart":                         {routes, eachRequest},
	"quart.Blueprint":                     {routes, eachRequest},
	"sanic.Sanic":                         {routes, eachRequest},
	"bottle.Bottle":                       {routes, eachRequest},
	"socketio.Server":                     {[]string{"on", "event"}, eachMessage},
	"socketio.AsyncServer":                {[]string{"on", "event"}, eachMessage},
	"flask_socketio.SocketIO":             {[]string{"on", "event"}, eachMessage},
	"telebot.TeleBot":                     {[]string{"message_handler"}, eachMessage},
	"discord.Client":                      {[]string{"event"}, eachMessage},
	"discord.ext.commands.Bot":            {[]string{"command", "event"}, eachMessage},
	"discord.ext.commands.AutoShardedBot": {[]string{"command", "event"}, eachMessage},
}

var routes = append([]string{"route"}, answering...)

// answering are the methods of a resource of Flask that answer requests.
var answering = []string{"get", "post", "put", "patch", "delete"}

var resources = []string{"flask_restful.Resource", "flask_restx.Resource", "flask.views.MethodView"}

// onceOnly are the events of a message's connection that happen once for each.
var onceOnly = []string{"connect", "disconnect", "on_ready"}

// calledAgain says when a library calls a function of the program that it was given, or returns "".
func calledAgain(info *names.Info, f *names.Function) string {
	if f == nil || f.Info != info {
		return ""
	}
	if f.Class != nil {
		if slices.Contains(answering, f.Name) && slices.Contains(resources, info.LibraryBase(f.Class)) {
			return eachRequest
		}
		return ""
	}
	for _, d := range f.Decorators {
		method := d
		if d.Kind() == syntax.Call {
			method = d.Child(syntax.FieldFunction)
		}
		made := info.DefiningExpr(method.Child(syntax.FieldObject))
		known := decorators[info.Callee(made)]
		if made.Kind() != syntax.Call || !slices.Contains(known.methods, method.Child(syntax.FieldAttribute).Text()) {
			continue
		}
		event := names.Element(d.Child(syntax.FieldArguments), 0).Text()
		if !slices.Contains(onceOnly, f.Name) && !slices.Contains(onceOnly, strings.Trim(event, `'"`)) {
			return known.when
		}
	}
	if len(f.Decorators) > 0 {
		return ""
	}
	for _, use := range info.Identifiers(f.Name) {
		call := use.Parent().Parent()
		if use.Parent().Kind() != syntax.ArgumentList || info.Target(use).Function != f {
			continue
		}
		switch {
		case info.Callee(call) == "rospy.Subscriber" && names.Argument(call, 2, "callback") == use:
			return eachMessage
		case names.Element(call.Child(syntax.FieldArguments), 0) != use:
		case rule.Builtin(info, call, "map"):
			if n := facts.Of(info).Items(use.Next(), nil); n == 0 || n > fewIterations {
				return eachItem
			}
		case isColumn(info, call.Child(syntax.FieldFunction)):
			return eachItem
		}
	}
	return ""
}

// isColumn reports whether a method applies a function to each item of a column of a table.
func isColumn(info *names.Info, method syntax.Node) bool {
	name, object := method.Child(syntax.FieldAttribute).Text(), method.Child(syntax.FieldObject)
	if name != "apply" && name != "map" && name != "progress_apply" || object.Kind() != syntax.Subscript {
		return false
	}
	return strings.HasPrefix(info.Callee(info.DefiningExpr(object.Child(syntax.FieldValue))), "pandas.") && object.Child(syntax.FieldSubscript).Kind() == syntax.String
}
