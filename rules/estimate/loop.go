package estimate

import (
	"slices"
	"strings"

	"github.com/tfmem/tfmem/analyzer/memory"
	"github.com/tfmem/tfmem/analyzer/value"
)

// A Variable is a name to which the loops around a model give values: one in each iteration, of which
// several may make equal models.
type Variable struct {
	Name   string
	Values []string
}

// A Loop is the variables of the loops around a model.
type Loop []Variable

// loopOf returns the loops in which a phase of a model runs and, for other names, those in which the
// model is made.
func loopOf(p *memory.Phase) (l Loop) {
	if p == nil {
		return nil
	}
	var all []value.Setting
	if p.Use != nil {
		all = p.Use.Within
	}
	for _, s := range slices.Concat(all, p.Then.Within) {
		if !slices.ContainsFunc(l, func(v Variable) bool { return v.Name == s.Name }) {
			l = append(l, Variable{s.Name, []string{s.Text}})
		}
	}
	return l
}

// With adds the values of an equal model.
func (l Loop) With(other Loop) (all Loop) {
	for _, v := range l {
		for _, o := range other {
			if o.Name == v.Name {
				for _, text := range o.Values {
					if !slices.Contains(v.Values, text) {
						v.Values = append(slices.Clip(v.Values), text)
					}
				}
			}
		}
		all = append(all, v)
	}
	return all
}

// of returns the values of a variable, as one text.
func (l Loop) of(name string) string {
	for _, v := range l {
		if n := len(v.Values); v.Name == name && n > 3 {
			return v.Values[0] + "…" + v.Values[n-1]
		} else if v.Name == name {
			return strings.Join(v.Values, "/")
		}
	}
	return ""
}

// tellApart fills in the cells with the variables that tell rows of one place apart and are no batch
// size, which has a column of its own.
func tellApart(rows []Row) {
	at := map[[2]string][]int{}
	for i, r := range rows {
		key := [2]string{r.Cells[NameColumn], r.Cells[PlaceColumn]}
		at[key] = append(at[key], i)
	}
	for _, group := range at {
		var names []string
		for _, i := range group {
			for _, v := range rows[i].Loop {
				if !slices.Contains(names, v.Name) {
					names = append(names, v.Name)
				}
			}
		}
		for _, name := range names {
			first, differs, batch := rows[group[0]].Loop.of(name), false, true
			for _, i := range group {
				text := rows[i].Loop.of(name)
				differs = differs || text != first
				batch = batch && text == strings.ReplaceAll(rows[i].Cells[BatchColumn], ",", "")
			}
			if !differs || batch {
				continue
			}
			for _, i := range group {
				cell := &rows[i].Cells[LoopColumn]
				if text := rows[i].Loop.of(name); text != "" {
					*cell += strings.Repeat(", ", min(len(*cell), 1)) + name + "=" + text
				}
			}
		}
	}
}
