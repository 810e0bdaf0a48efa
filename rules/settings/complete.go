package settings

import (
	"bytes"
	"fmt"
	"slices"
	"strings"

	"github.com/pelletier/go-toml/v2/unstable"

	"github.com/tfmem/tfmem/rules"
)

// A Choice is something that may be typed in a settings file.
type Choice struct {
	Name   string // as people look for it
	Text   string // replaces what is typed
	Detail string // a few words; may be empty
	Doc    string // Markdown; may be empty
	IsKey  bool   // a key or a table, rather than a value
}

// Complete returns what may be typed at an offset of a settings file's text, and the part of the
// text that it replaces. gpus are names of GPUs.
func Complete(path string, text []byte, offset int, gpus []string) (choices []Choice, start, end int) {
	text = unmarked(text)
	at := placeOf(text[:offset])
	start, end = offset-len(at.word), offset
	for end < len(text) && isBare(text[end]) && at.quote == 0 {
		end++
	}
	own := at.path
	if isPyproject(path) {
		if at.kind != inHeader && (len(own) < 2 || own[0] != "tool" || own[1] != "tfmem") {
			return nil, start, end
		}
		if at.kind != inHeader {
			own = own[2:]
		}
	}
	switch at.kind {
	case inHeader:
		choices = headers(isPyproject(path))
		if closed := end < len(text) && text[end] == ']'; !closed {
			for i := range choices {
				choices[i].Text += "]"
			}
		}
	case inKey:
		choices = keyChoices(own, at, others(text, offset, at.path))
		if rest := strings.TrimLeft(string(text[end:]), " \t"); at.quote == 0 && !strings.HasPrefix(rest, "=") {
			for i := range choices {
				// The key of a table is followed by a key in the table.
				if k := LookupKey(choices[i].Name); k != nil && k.table && len(own) == 0 {
					choices[i].Text += "."
				} else {
					choices[i].Text += " = "
				}
			}
		}
	case inValue:
		choices = valueChoices(own, at, gpus)
		// The contents of the quotes are replaced as a whole.
		for at.quote != 0 && end < len(text) && text[end] != at.quote && text[end] != '\n' && text[end] != '\r' {
			end++
		}
		if closed := end < len(text) && text[end] == at.quote; at.quote != 0 && !closed {
			end = offset
			for i := range choices {
				choices[i].Text += string(at.quote)
			}
		}
	}
	return choices, start, end
}

// unmarked replaces a byte order mark, which TOML does not allow, with spaces.
func unmarked(text []byte) []byte {
	if rest, marked := bytes.CutPrefix(text, []byte(byteOrderMark)); marked {
		return append(bytes.Repeat([]byte(" "), len(byteOrderMark)), rest...)
	}
	return text
}

// headers returns the possible tables.
func headers(pyproject bool) []Choice {
	var out []Choice
	prefix := ""
	if pyproject {
		prefix = "tool.tfmem."
		out = append(out, Choice{Name: "tool.tfmem", Text: "tool.tfmem", Detail: "the settings of tfmem", IsKey: true})
	}
	for _, k := range Keys {
		if k.table {
			out = append(out, Choice{Name: prefix + k.Name, Text: prefix + k.Name, Detail: k.Type, Doc: k.Markdown(), IsKey: true})
		}
	}
	return out
}

// keyChoices returns the keys that a table does not have yet.
func keyChoices(own []string, at place, taken []string) []Choice {
	var out []Choice
	switch {
	case len(own) == 0:
		for i := range Keys {
			out = append(out, Choice{Name: Keys[i].Name, Text: Keys[i].Name, Detail: Keys[i].Type, Doc: Keys[i].Markdown(), IsKey: true})
		}
	case len(own) == 1 && own[0] == "severity":
		out = ruleChoices()
	}
	return slices.DeleteFunc(out, func(c Choice) bool { return c.Name != at.word && slices.Contains(taken, c.Name) })
}

// others returns the keys that the table at a path has on other lines than that of an offset, as
// far as they can be read.
func others(text []byte, offset int, path []string) []string {
	line := offset
	for line > 0 && text[line-1] != '\n' {
		line--
	}
	end := offset
	for end < len(text) && text[end] != '\n' {
		end++
	}
	var out []string
	header, _ := headerBefore(text[:line])
	for i, part := range [][]byte{text[:line], text[end:]} {
		var p unstable.Parser
		p.Reset(part)
		var within []string
		if i == 1 {
			within = header
		}
		for p.NextExpression() {
			switch e := p.Expression(); e.Kind {
			case unstable.Table, unstable.ArrayTable:
				within, _ = keys(e.Key())
			case unstable.KeyValue:
				names, _ := keys(e.Key())
				if full := slices.Concat(within, names); len(full) > len(path) && slices.Equal(full[:len(path)], path) {
					out = append(out, full[len(path)])
				}
			}
		}
	}
	return out
}

// valueChoices returns the values of a key, in quotes if there are none yet.
func valueChoices(own []string, at place, gpus []string) []Choice {
	if len(own) == 0 || len(own) > 2 {
		return nil
	}
	k := LookupKey(own[0])
	if k == nil || k.table != (len(own) == 2) || k.choices == nil && !k.list {
		return nil
	}
	if k.list && !at.list {
		// The list itself.
		if _, example, ok := strings.Cut(k.Example, " = "); ok && at.quote == 0 && !k.table {
			return []Choice{{Name: example, Text: example, Detail: k.Type, Doc: k.Markdown()}}
		}
		return nil
	}
	if k.choices == nil {
		return nil
	}
	out := k.choices()
	if k.Name == "gpu" {
		for _, name := range gpus {
			out = append(out, Choice{Name: name, Text: name})
		}
	}
	if at.quote == 0 {
		for i := range out {
			out[i].Text = fmt.Sprintf("%q", out[i].Text)
		}
	}
	return out
}

// ruleChoices returns what selects rules: their codes, the prefixes of families, and ALL.
func ruleChoices() []Choice {
	out := []Choice{{Name: "ALL", Text: "ALL", Detail: "every rule"}}
	family := ""
	for _, r := range rules.All {
		if f := r.Code[:4]; f != family {
			family = f
			out = append(out, Choice{Name: f, Text: f, Detail: "every rule whose code begins with " + f})
		}
		out = append(out, Choice{Name: r.Code, Text: r.Code, Detail: r.Name, Doc: r.Summary})
	}
	return out
}

// wordsOf returns the words that a text lists, such as severities.
func wordsOf(list string) []Choice {
	var out []Choice
	for _, w := range strings.FieldsFunc(strings.ReplaceAll(list, " or ", ", "), func(c rune) bool { return c == ',' || c == ' ' }) {
		out = append(out, Choice{Name: w, Text: w})
	}
	return out
}

// Markdown returns the key's documentation.
func (k *Key) Markdown() string {
	return fmt.Sprintf("**%s** (%s)\n\n%s\n\nDefault: `%s`\n\n```toml\n%s\n```\n", k.Name, k.Type, k.Meaning, k.Default, k.Example)
}

// Explain returns a Markdown text about the key or the rule's code at an offset of a settings file,
// and its span.
func Explain(path string, text []byte, offset int) (markdown string, start, end int, ok bool) {
	var table []string
	if isPyproject(path) {
		table = []string{"tool", "tfmem"}
	}
	holds := func(at int) bool {
		start, end = at, wordEnd(text, at)
		// A dotted key consists of several.
		if dot := strings.IndexByte(string(text[start:end]), '.'); dot > 0 && text[at] != '"' && text[at] != '\'' {
			end = start + dot
		}
		return start <= offset && offset <= end
	}
	explainKeys := func(names []string, at []int) bool {
		n := len(table)
		if len(names) <= n || !slices.Equal(names[:n], table) {
			return false
		}
		for i, place := range at {
			if i < n || place < 0 || !holds(place) {
				continue
			}
			if k := LookupKey(names[n]); k != nil && i == n {
				markdown = k.Markdown()
			} else if r := rules.Lookup(names[i]); r != nil {
				markdown = r.Markdown()
			}
			return markdown != ""
		}
		return false
	}
	var explain func(names []string, at []int, n *unstable.Node) bool
	explain = func(names []string, at []int, n *unstable.Node) bool {
		if explainKeys(names, at) {
			return true
		}
		switch n.Kind {
		case unstable.InlineTable:
			for it := n.Children(); it.Next(); {
				more, places := keys(it.Node().Key())
				if explain(slices.Concat(names, more), slices.Concat(at, places), it.Node().Value()) {
					return true
				}
			}
		case unstable.Array:
			for it := n.Children(); it.Next(); {
				if explain(names, at, it.Node()) {
					return true
				}
			}
		case unstable.String:
			if len(names) > len(table) && slices.Equal(names[:len(table)], table) && holds(int(n.Raw.Offset)) {
				if r := rules.Lookup(string(n.Data)); r != nil {
					markdown = r.Markdown()
					return true
				}
			}
		}
		return false
	}
	var p unstable.Parser
	p.Reset(unmarked(text))
	var header []string
	for p.NextExpression() {
		switch e := p.Expression(); e.Kind {
		case unstable.Table:
			var places []int
			header, places = keys(e.Key())
			if explainKeys(header, places) {
				return markdown, start, end, true
			}
		case unstable.KeyValue:
			names, at := keys(e.Key())
			// The header's own positions are examined where it is written.
			elsewhere := slices.Repeat([]int{-1}, len(header))
			if explain(slices.Concat(header, names), slices.Concat(elsewhere, at), e.Value()) {
				return markdown, start, end, true
			}
		}
	}
	return "", 0, 0, false
}
