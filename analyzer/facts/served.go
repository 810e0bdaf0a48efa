package facts

import (
	"slices"
	"strings"

	"github.com/tfmem/tfmem/analyzer/names"
	"github.com/tfmem/tfmem/analyzer/syntax"
)

// How often a library calls a function of the program that it was given, as messages say it.
const (
	EachRequest = "in every request"
	EachMessage = "with every message"
	EachItem    = "for each item"
)

// decorators are the classes whose methods decorate functions that are called again and again.
var decorators = map[string]struct {
	methods []string
	when    string
}{
	"flask.Flask":                         {routes, EachRequest},
	"flask.Blueprint":                     {routes, EachRequest},
	"fastapi.FastAPI":                     {routes, EachRequest},
	"fastapi.APIRouter":                   {routes, EachRequest},
	"quart.Quart":                         {routes, EachRequest},
	"quart.Blueprint":                     {routes, EachRequest},
	"sanic.Sanic":                         {routes, EachRequest},
	"bottle.Bottle":                       {routes, EachRequest},
	"socketio.Server":                     {[]string{"on", "event"}, EachMessage},
	"socketio.AsyncServer":                {[]string{"on", "event"}, EachMessage},
	"flask_socketio.SocketIO":             {[]string{"on", "event"}, EachMessage},
	"telebot.TeleBot":                     {[]string{"message_handler"}, EachMessage},
	"discord.Client":                      {[]string{"event"}, EachMessage},
	"discord.ext.commands.Bot":            {[]string{"command", "event"}, EachMessage},
	"discord.ext.commands.AutoShardedBot": {[]string{"command", "event"}, EachMessage},
}

var routes = append([]string{"route"}, answering...)

// answering are the methods of a resource of Flask that answer requests.
var answering = []string{"get", "post", "put", "patch", "delete"}

var resources = []string{"flask_restful.Resource", "flask_restx.Resource", "flask.views.MethodView"}

// onceOnly are the events of a message's connection that happen once for each.
var onceOnly = []string{"connect", "disconnect", "on_ready"}

// Served says how often a library calls a function of the program that it was given. It returns "" if
// none is known to call it more than a few times.
func (f *Facts) Served(fn *names.Function) string {
	info := f.info
	if fn == nil || fn.Info != info {
		return ""
	}
	if fn.Class != nil {
		if slices.Contains(answering, fn.Name) && slices.Contains(resources, info.LibraryBase(fn.Class)) {
			return EachRequest
		}
		return ""
	}
	for _, d := range fn.Decorators {
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
		if !slices.Contains(onceOnly, fn.Name) && !slices.Contains(onceOnly, strings.Trim(event, `'"`)) {
			return known.when
		}
	}
	if len(fn.Decorators) > 0 {
		return ""
	}
	for _, use := range info.Identifiers(fn.Name) {
		call := use.Parent().Parent()
		if use.Parent().Kind() != syntax.ArgumentList || info.Target(use).Function != fn {
			continue
		}
		switch {
		case info.Callee(call) == "rospy.Subscriber" && names.Argument(call, 2, "callback") == use:
			return EachMessage
		case names.Element(call.Child(syntax.FieldArguments), 0) != use:
		case f.info.Builtin(call) == "map":
			if n := f.Items(use.Next(), nil); n == 0 || n > FewIterations {
				return EachItem
			}
		case isColumn(info, call.Child(syntax.FieldFunction)):
			return EachItem
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
