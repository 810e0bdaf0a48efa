package tally

import (
	"fmt"
	"os/exec"
	"strings"
	"testing"
	"testing/iotest"
)

// cases have what is counted of them, without their records, and their rows with each separator: ","
// ";" "\t" "|"; -1 if that is not known.
var cases = map[string]struct {
	text string
	want Text
	rows [4]int64
}{
	"empty":            {"", Text{}, [4]int64{0, 0, 0, 0}},
	"one line":         {"a,b", Text{Bytes: 3, Characters: 3, Lines: 1, Newlines: 1, First: 1, Last: 1}, [4]int64{1, 1, 1, 1}},
	"ended":            {"a\nb\n", Text{Bytes: 4, Characters: 4, Lines: 2, Newlines: 2, First: 1, Last: 2, Ended: true}, [4]int64{2, 2, 2, 2}},
	"blank lines":      {"a\n\n \t\nb\n\n", Text{Bytes: 9, Characters: 9, Lines: 5, Newlines: 5, First: 1, Last: 4, Ended: true}, [4]int64{2, 2, 3, 2}},
	"of Windows":       {"a\r\n\r\nb\r\n", Text{Bytes: 8, Characters: 5, Lines: 3, Newlines: 3, First: 1, Last: 3, Ended: true}, [4]int64{2, 2, 2, 2}},
	"of an old Mac":    {"a\rb\rc", Text{Bytes: 5, Characters: 5, Lines: 3, Newlines: 1, First: 1, Last: 1, Returns: true}, [4]int64{-1, -1, -1, -1}},
	"mixed":            {"a\r\nb\rc\n", Text{Bytes: 7, Characters: 6, Lines: 3, Newlines: 2, First: 1, Last: 2, Ended: true, Returns: true}, [4]int64{-1, -1, -1, -1}},
	"not ASCII":        {"é\u2028\n", Text{Bytes: 6, Characters: 3, Lines: 1, Newlines: 1, First: 1, Last: 1, Ended: true}, [4]int64{1, 1, 1, 1}},
	"byte order mark":  {"\ufeff\"a\nb\",c\n1,2\n", Text{Bytes: 15, Characters: 13, Lines: 3, Newlines: 3, First: 1, Last: 3, Ended: true, Quotes: true}, [4]int64{2, 2, 2, -1}},
	"quoted":           {"a,b\n1,\"x,\ny\"\n2,\"\"\"\n\"\"\"\n", Text{Bytes: 23, Characters: 23, Lines: 5, Newlines: 5, First: 1, Last: 5, Ended: true, Quotes: true}, [4]int64{3, -1, -1, -1}},
	"quoted elsewhere": {"a;b\n1;\"x\n;y\"\n", Text{Bytes: 13, Characters: 13, Lines: 3, Newlines: 3, First: 1, Last: 3, Ended: true, Quotes: true}, [4]int64{3, 2, 3, -1}},
	"inch":             {"a\t5\" b\nc\t\"\"\n", Text{Bytes: 12, Characters: 12, Lines: 2, Newlines: 2, First: 1, Last: 2, Ended: true, Quotes: true}, [4]int64{2, 2, 2, -1}},
	"after blanks":     {"  \"a\nb\"\nc\n", Text{Bytes: 10, Characters: 10, Lines: 3, Newlines: 3, First: 1, Last: 3, Ended: true, Quotes: true}, [4]int64{2, 2, 2, -1}},
	"not closed":       {"a\n\"b\n", Text{Bytes: 5, Characters: 5, Lines: 2, Newlines: 2, First: 1, Last: 2, Ended: true, Quotes: true}, [4]int64{-1, -1, -1, -1}},
	"binary":           {"a\nb\x00c\nd", Text{Bytes: 7, Binary: true}, [4]int64{-1, -1, -1, -1}},
	"longer": {strings.Repeat("x", buffer-1) + "\r\n\"" + strings.Repeat("y\n", buffer) + "\"\nz",
		Text{Bytes: 3*buffer + 5, Characters: 3*buffer + 4, Lines: buffer + 3, Newlines: buffer + 3, First: 1, Last: buffer + 3, Quotes: true}, [4]int64{3, 3, 3, -1}},
}

func TestRead(t *testing.T) {
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			whole, err := Read(strings.NewReader(c.text))
			if err != nil {
				t.Fatal(err)
			}
			if bit, err := Read(iotest.OneByteReader(strings.NewReader(c.text))); err != nil || bit != whole {
				t.Errorf("byte by byte it is %s, %v; else %s", bit, err, whole)
			}
			got, ok := Parse(whole)
			if !ok {
				t.Fatalf("%s cannot be parsed", whole)
			}
			for i, separator := range []string{",", ";", "\t", "|"} {
				n, ok := got.RowsOf(separator)
				if !ok {
					n = -1
				}
				if n != c.rows[i] {
					t.Errorf("%d rows between %q, want %d", n, separator, c.rows[i])
				}
			}
			if got.Records = nil; text(got) != text(c.want) {
				t.Errorf("got  %s\nwant %s", text(got), text(c.want))
			}
		})
	}
}

// TestPython compares the counts with those of Python's open.
func TestPython(t *testing.T) {
	python, err := exec.LookPath("python3")
	if err != nil {
		t.Skip("there is no python3 to compare with")
	}
	const count = `import io, sys
b = sys.stdin.buffer.read()
s = io.TextIOWrapper(io.BytesIO(b), encoding="utf-8").read()
print(len(b), len(s), len(list(io.TextIOWrapper(io.BytesIO(b), encoding="utf-8"))), len(io.BytesIO(b).readlines()))`
	for name, c := range cases {
		if c.want.Binary {
			continue
		}
		t.Run(name, func(t *testing.T) {
			run := exec.Command(python, "-c", count)
			run.Stdin = strings.NewReader(c.text)
			got, err := run.Output()
			if err != nil {
				t.Fatal(err)
			}
			if want := fmt.Sprintln(c.want.Bytes, c.want.Characters, c.want.Lines, c.want.Newlines); string(got) != want {
				t.Errorf("Python counts %s, the case has %s", got, want)
			}
		})
	}
}

// TestError: what cannot be read has no count.
func TestError(t *testing.T) {
	if got, err := Read(iotest.TimeoutReader(iotest.OneByteReader(strings.NewReader("abc")))); err == nil {
		t.Errorf("got %s, want an error", got)
	}
}
