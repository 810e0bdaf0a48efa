package report

import (
	"encoding/xml"
	"fmt"
	"io"

	tests "github.com/jstemmer/go-junit-report/v2/junit"

	"github.com/tfmem/tfmem/analyzer/source"
)

// junit prints a test suite per file, and a failed test per finding. Without findings it prints one
// test that passed, because CI systems take a report without tests for a mistake.
func junit(w io.Writer, entries []Entry, _ Options) error {
	all := tests.Testsuites{Name: "tfmem"}
	for _, e := range entries {
		if len(e.Findings) == 0 {
			continue
		}
		path := source.Printable(e.Source.Path)
		suite := tests.Testsuite{Name: path, ID: len(all.Suites), Package: "tfmem", Time: "0", File: path}
		for _, f := range e.Findings {
			message := source.Printable(f.Message)
			suite.AddTestcase(tests.Testcase{Name: f.Rule.Code + " " + f.Rule.Name, Classname: path, Time: "0", Failure: &tests.Result{
				Message: message, Type: f.Severity.String(), Data: fmt.Sprintf("%s: %s", where(e.Source, f.Span, Palette{}), message),
			}})
		}
		all.AddSuite(suite)
	}
	if len(all.Suites) == 0 {
		suite := tests.Testsuite{Name: "tfmem", Package: "tfmem", Time: "0"}
		suite.AddTestcase(tests.Testcase{Name: "no findings", Classname: "tfmem", Time: "0"})
		all.AddSuite(suite)
	}
	text, err := xml.MarshalIndent(all, "", "  ")
	if err == nil {
		_, err = fmt.Fprintf(w, "%s%s\n", xml.Header, text)
	}
	return err
}
