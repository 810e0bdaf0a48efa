package main

import "github.com/tfmem/tfmem/rules/explain"

// reportJSON and the types below are what explain prints as JSON: explain.schema.json documents them.
type reportJSON struct {
	Filename     string            `json:"filename"`
	Explanations []explanationJSON `json:"explanations"`
	Models       []string          `json:"models"`
	Sources      []string          `json:"sources"`
	Missing      []string          `json:"missing"`
}

// explanationJSON is an explanation in JSON.
type explanationJSON struct {
	Cause    explain.Cause  `json:"cause"`
	Sure     bool           `json:"sure"`
	Sentence string         `json:"sentence"`
	Claim    string         `json:"claim"`
	Evidence []evidenceJSON `json:"evidence"`
	Advice   []string       `json:"advice"`
	Rules    []string       `json:"rules"`
	Limit    *int64         `json:"limit_bytes"`
	InUse    *int64         `json:"in_use_bytes"`
	Asked    *int64         `json:"asked_bytes"`
	Shape    []int64        `json:"shape"`
}

type evidenceJSON struct {
	Line int    `json:"line"`
	Text string `json:"text"`
}

func toJSON(path string, found []explain.Explanation, tensors []string, of ranPrograms) reportJSON {
	known := func(n int64) *int64 {
		if n <= 0 {
			return nil
		}
		return &n
	}
	list := func(texts []string) []string { return append([]string{}, texts...) }
	out := reportJSON{path, []explanationJSON{}, list(tensors), list(of.files), list(of.missing)}
	for _, x := range found {
		j := explanationJSON{Cause: x.Cause, Sure: x.Sure, Sentence: x.Sentence(), Claim: x.Claim, Evidence: []evidenceJSON{}, Advice: list(x.Advice), Rules: list(x.Rules), Limit: known(x.Limit)}
		for _, s := range x.Evidence {
			j.Evidence = append(j.Evidence, evidenceJSON(s))
		}
		if m := x.Message; m != nil {
			j.InUse, j.Asked, j.Shape = known(m.InUse), known(m.Asked), m.Shape
		}
		out.Explanations = append(out.Explanations, j)
	}
	return out
}
