package gpu

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// A key is a name in comparable form: its words, without letter case, maker and spelling.
// "RTX3090Ti", "rtx 3090 ti" and "NVIDIA GeForce RTX 3090 Ti" have the same key.
type key struct {
	words []string // "rtx", "3090", "ti"; without the size
	size  string   // "40" of "A100-SXM4-40GB", in marketing's GB; usually empty
	gib   bool     // the size is in GiB, as nvidia-smi counts
}

var (
	sizeWord   = regexp.MustCompile(`\b(\d{1,3}(?:\.\d{1,2})?) ?(gb|gib|g)\b`)
	migProfile = regexp.MustCompile(`\b(?:\dc\.)?(\dg\.\d{1,3}gb)(?:[+.-][a-z.+-]*)?`)
	wordBreak  = regexp.MustCompile(`[^a-z0-9]+`)

	// Words are often written as one: rtx3090, sxm4, 3090ti. "a100" and "l40s" are single words.
	lettersDigits = regexp.MustCompile(`([a-z]{2,})(\d)`)
	digitsLetters = regexp.MustCompile(`(\d{3,})([a-z])`)
)

// unsaid are the words that most people leave out.
var unsaid = []string{"nvidia", "geforce", "tesla", "gpu", "graphics", "card", "jetson", "mig"}

func keyOf(name string) key {
	var k key
	name = strings.ToLower(name)
	if m := sizeWord.FindStringSubmatch(name); m != nil {
		k.size, k.gib = m[1], m[2] == "gib"
		name = strings.Replace(name, m[0], " ", 1)
	}
	name = lettersDigits.ReplaceAllString(name, "$1 $2")
	name = digitsLetters.ReplaceAllString(name, "$1 $2")
	for _, w := range wordBreak.Split(name, -1) {
		if w != "" && !slices.Contains(unsaid, w) {
			k.words = append(k.words, w)
		}
	}
	return k
}

// joined returns the key without spaces and, if short is set, without the series: "3090" is an
// RTX 3090.
func (k key) joined(short bool) string {
	var b strings.Builder
	for _, w := range k.words {
		if !short || w != "rtx" && w != "gtx" {
			b.WriteString(w)
		}
	}
	return b.String()
}

// in reports whether all words of k are among the words of other.
func (k key) in(other key) bool {
	for _, w := range k.words {
		if !slices.Contains(other.words, w) {
			return false
		}
	}
	return len(k.words) > 0
}

// nickname returns a name as the table of nicknames writes it: "Colab_T4" is "colab t4", and
// "g5.xlarge" is "g5".
func nickname(name string) string {
	name, _, _ = strings.Cut(strings.ToLower(name), ".")
	return strings.Join(strings.FieldsFunc(name, func(r rune) bool { return strings.ContainsRune(" -_", r) }), " ")
}

// lookup finds the GPU that a person names: by its whole name or a nickname, else by the closest
// abbreviation that matches a GPU. If that matches several with different memory or compute capability, the
// error asks which.
func lookup(name string) (model, error) {
	folded := strings.Join(strings.Fields(name), " ")
	for _, m := range catalogue() {
		if strings.EqualFold(m.name, folded) || slices.Contains(m.nicknames, nickname(folded)) {
			return known(m)
		}
	}
	profile, rest := "", strings.ToLower(folded)
	if m := migProfile.FindStringSubmatch(rest); m != nil {
		profile, rest = m[1], strings.Replace(rest, m[0], " ", 1)
	}
	asked := keyOf(rest)
	// "A100 MIG" leaves the instance open.
	instance := profile != "" || slices.Contains(strings.Fields(rest), "mig")
	var among []model
	for _, m := range catalogue() {
		if (m.profile != "") == instance && (profile == "" || m.profile == profile) {
			among = append(among, m)
		}
	}
	sized := func(m model) bool { return asked.size == m.key.size && (!asked.gib || m.hasSize(asked)) }
	for _, near := range []func(model) bool{
		func(m model) bool { return asked.joined(false) == m.key.joined(false) && sized(m) },
		func(m model) bool { return asked.joined(true) == m.key.joined(true) && sized(m) },
		func(m model) bool { return asked.joined(false) == m.key.joined(false) && m.hasSize(asked) },
		func(m model) bool { return asked.joined(true) == m.key.joined(true) && m.hasSize(asked) },
		func(m model) bool { return asked.in(m.key) && asked.size != "" && sized(m) },
		func(m model) bool { return asked.in(m.key) && m.hasSize(asked) },
	} {
		var found []model
		for _, m := range among {
			if near(m) {
				found = append(found, m)
			}
		}
		if len(found) > 0 {
			return choose(name, found)
		}
	}
	return model{}, unknown(name, asked, instance)
}

// hasSize reports whether the GPU has the size that is asked for, if any: in GiB, rounded as that is;
// in GB, as it is sold. NVML's total is up to a tenth less than that, as on a card of 24 GB with error
// correction: 22.5 GiB.
func (m model) hasSize(asked key) bool {
	if asked.size == "" || m.totalBytes == 0 {
		return true
	}
	if m.profile != "" {
		return m.key.size == asked.size || m.key.size == ""
	}
	size, _ := strconv.ParseFloat(asked.size, 64)
	gib := float64(m.totalBytes) / (1 << 30)
	if asked.gib {
		_, digits, _ := strings.Cut(asked.size, ".")
		return strconv.FormatFloat(gib, 'f', len(digits), 64) == asked.size
	}
	return gib >= 0.9*size && gib <= 1.02*size
}

// choose returns the only GPU, the first of several that are the same to a program, or the usual
// one of several cards with one name.
func choose(name string, found []model) (model, error) {
	first := found[0]
	for _, m := range found[1:] {
		if m.name != first.name && (m.totalBytes != first.totalBytes || m.capability != first.capability) {
			return model{}, fmt.Errorf("%q may be %s; name one of them", name, list(found))
		}
	}
	return known(first)
}

// known refuses a GPU with unknown memory.
func known(m model) (model, error) {
	switch {
	case m.totalBytes > 0:
		return m, nil
	case m.profile != "":
		return model{}, fmt.Errorf("the memory of an %s is not known; give its size, such as 24GiB", m.name)
	}
	return model{}, fmt.Errorf("the %s shares the memory of its host; give the size that it can have, such as 8GiB", m.name)
}

// mostListed is how many GPUs an error lists.
const mostListed = 8

func list(found []model) string {
	var names []string
	for _, m := range found {
		if len(names) == mostListed {
			names = append(names, fmt.Sprintf("%d others", len(found)-mostListed))
			break
		}
		if m.totalBytes == 0 {
			names = append(names, m.name)
			continue
		}
		names = append(names, fmt.Sprintf("%s (%s)", m.name, FormatBytes(m.totalBytes)))
	}
	last := len(names) - 1
	if last == 0 {
		return names[0]
	}
	return strings.Join(names[:last], ", ") + " or " + names[last]
}

// unknown says that there is no GPU of that name, and suggests others: other sizes of the card,
// other instances of the GPU, or the nearest name.
func unknown(name string, asked key, instance bool) error {
	var others, longer []model
	for _, m := range catalogue() {
		switch {
		case instance && m.profile != "" && asked.in(m.key) && m.hasSize(asked):
			others = append(others, m)
		case len(asked.words) == 0 || asked.size == "" || m.profile != "":
		case asked.joined(true) == m.key.joined(true):
			others = append(others, m)
		case asked.in(m.key):
			longer = append(longer, m)
		}
	}
	if len(others) == 0 {
		others = longer
	}
	if len(others) > 0 {
		return fmt.Errorf("no GPU %q is known; there is %s", name, list(others))
	}
	if metal.MatchString(name) {
		return fmt.Errorf("%q is a GPU of Apple, which TensorFlow uses by Metal; tfmem does not know what it needs there: give the size that TensorFlow can have, such as 8GiB, or none", name)
	}
	meant, k := "", asked.joined(false)
	least := max(1, len(k)/3) + 1
	for _, m := range catalogue() {
		if d := distance(k, m.key.joined(false)); k != "" && d < least {
			meant, least = " (did you mean "+m.name+"?)", d
		}
		for _, n := range m.nicknames {
			if d := distance(k, keyOf(n).joined(false)); k != "" && d < least {
				meant, least = " (did you mean "+strconv.Quote(n)+"?)", d
			}
		}
	}
	return fmt.Errorf("no GPU %q is known%s; write a name as nvidia-smi prints it, a size such as 24GiB, the path of a .json file, auto or none", name, meant)
}

// distance returns the number of letters to change, remove, insert or swap with the next one to
// turn a into b, in bytes.
func distance(a, b string) int {
	before, last, row := make([]int, len(b)+1), make([]int, len(b)+1), make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		before, last, row = last, row, before
		row[0] = i + 1
		for j := range len(b) {
			change := last[j]
			if a[i] != b[j] {
				change++
			}
			row[j+1] = min(change, last[j+1]+1, row[j]+1)
			if i > 0 && j > 0 && a[i] == b[j-1] && a[i-1] == b[j] {
				row[j+1] = min(row[j+1], before[j-1]+1)
			}
		}
	}
	return row[len(b)]
}
