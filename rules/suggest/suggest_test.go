package suggest

import "testing"

func TestNearest(t *testing.T) {
	words := []string{"TFM101", "TFM102", "TFM301", "ALL", "concise"}
	for word, want := range map[string]string{
		"TFM103": "TFM101", "tfm302": "TFM102", "TMF301": "TFM301", "concice": "concise", "all": "ALL", "xyz": "", "": "",
	} {
		if got := Nearest(word, words); got != want {
			t.Errorf("the nearest of %q is %q, want %q", word, got, want)
		}
	}
}
