package main

import (
	"fmt"
	"io"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"github.com/tfmem/tfmem/cmd/tfmem/internal/report"
	"github.com/tfmem/tfmem/rules"
	"github.com/tfmem/tfmem/rules/rewrite"
	"github.com/tfmem/tfmem/rules/rule"
	"github.com/tfmem/tfmem/rules/suggest"
)

func newRule() *cobra.Command {
	var all, html bool
	var format string
	cmd := &cobra.Command{
		Use:   "rule [CODE]",
		Short: "Explain a rule or a rewrite, or list all rules",
		Example: `  tfmem rule            list all rules
  tfmem rule TFM101     explain one, by its code or name
  tfmem rule --all      explain all
  tfmem rule TFM101 --html > TFM101.html
                        write its page
  tfmem rule profile-loop
                        explain a rewrite; "tfmem check --rewrite list" names them`,
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := oneOf("--output-format", format, []string{"text", "json"}); err != nil {
				return err
			}
			if len(args) > 1 {
				if html {
					return usagef("name one rule; --html prints its page, and > FILE keeps it")
				}
				return usagef("name one rule, or explain all with --all")
			}
			if all && len(args) > 0 {
				return usagef("--all explains every rule; leave %s out, or leave out --all", args[0])
			}
			chosen := rules.All
			if len(args) > 0 {
				r := rules.Lookup(args[0])
				if r == nil {
					if w := rewrite.Lookup(args[0]); w != nil && !html {
						return explainRewrite(cmd.OutOrStdout(), w, format)
					}
					return usagef("there is no rule %q%s", args[0], suggest.DidYouMean(args[0], append(codes(), rewrite.Names()...)))
				}
				chosen = []*rule.Rule{r}
			}
			out := cmd.OutOrStdout()
			switch {
			case html && (len(args) == 0 || format == "json"):
				return usagef("--html prints the page of one rule; name the rule, and leave out --output-format")
			case html:
				return writeRulePage(out, chosen[0])
			case format == "json" && len(args) > 0:
				return report.WriteJSON(out, toJSONRule(chosen[0]))
			case format == "json":
				return writeRulesJSON(out, chosen)
			case all || len(args) > 0:
				return writeRulesMarkdown(out, chosen)
			}
			return writeRulesTable(out, chosen)
		},
		ValidArgsFunction: func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
			return append(codes(), rewrite.Names()...), cobra.ShellCompDirectiveNoFileComp
		},
	}
	cmd.Flags().BoolVar(&all, "all", false, "explain all rules")
	cmd.Flags().BoolVar(&html, "html", false, "print a page for a browser")
	cmd.Flags().StringVar(&format, "output-format", "text", "text or json")
	return cmd
}

// codes are the codes of all rules.
func codes() []string {
	var codes []string
	for _, r := range rules.All {
		codes = append(codes, r.Code)
	}
	return codes
}

func writeRulesTable(w io.Writer, all []*rule.Rule) error {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	for _, r := range all {
		fmt.Fprintf(t, "%s\t%s\t%s\t%s\n", r.Code, r.Name, r.Severity, r.Brief())
	}
	return t.Flush()
}

func writeRulesMarkdown(w io.Writer, all []*rule.Rule) error {
	var pages []string
	for _, r := range all {
		pages = append(pages, r.Markdown())
	}
	_, err := io.WriteString(w, strings.Join(pages, "\n"))
	return err
}

// A jsonRule is a rule's documentation; the texts are Markdown, the examples
// Python.
type jsonRule struct {
	Code      string `json:"code"`
	Name      string `json:"name"`
	Severity  string `json:"severity"`
	Off       bool   `json:"off_by_default"`
	Summary   string `json:"summary"`
	What      string `json:"what"`
	Why       string `json:"why"`
	Bad       string `json:"bad"`
	Good      string `json:"good"`
	FixSafety string `json:"fix_safety"`
}

func toJSONRule(r *rule.Rule) jsonRule {
	text := strings.TrimSpace
	return jsonRule{
		Code: r.Code, Name: r.Name, Severity: r.Severity.String(), Off: r.OffByDefault, Summary: r.Summary,
		What: text(r.What), Why: text(r.Why), Bad: text(r.Bad), Good: text(r.Good), FixSafety: text(r.FixSafety),
	}
}

func writeRulesJSON(w io.Writer, all []*rule.Rule) error {
	list := []jsonRule{}
	for _, r := range all {
		list = append(list, toJSONRule(r))
	}
	return report.WriteJSON(w, list)
}

// explainRewrite writes a rewrite's documentation.
func explainRewrite(out io.Writer, r *rewrite.Rewrite, format string) error {
	if format != "json" {
		_, err := io.WriteString(out, r.Markdown())
		return err
	}
	text := strings.TrimSpace
	return report.WriteJSON(out, struct {
		Name    string `json:"name"`
		Title   string `json:"title"`
		What    string `json:"what"`
		Changes string `json:"changes"`
		Before  string `json:"before"`
		After   string `json:"after"`
	}{r.Name, r.Title, text(r.What), text(r.Changes), text(r.Before), text(r.After)})
}
