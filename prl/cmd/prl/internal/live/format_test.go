package live

import (
	"strings"
	"testing"
)

// A cell is set like a file of Go, around its line %%, and one that is no Go stays.
func TestFormatted(t *testing.T) {
	for text, want := range map[string]string{
		"func f( )int{return 1}\n%%\nx:=f( )\nfmt.Println( x )\n": "func f() int { return 1 }\n%%\nx := f()\nfmt.Println(x)",
		"%%\nif true {\nf()\n}":                                   "%%\nif true {\n\tf()\n}",
		"import \"fmt\"\n\nvar  x = 1":                            "import \"fmt\"\n\nvar x = 1",
		"fmt.Println(1+1)":                                        "fmt.Println(1 + 1)",
		"":                                                        "",
	} {
		got, err := Formatted(text)
		if err != nil || got != want {
			t.Errorf("%q becomes %q, %v; want %q", text, got, err, want)
		}
		if again, err := Formatted(got); err != nil || again != got {
			t.Errorf("%q becomes %q at the second time, %v", got, again, err)
		}
	}
	for text, want := range map[string]string{
		"var x = 1\n%%\nx :=": "from line 3", "%%\n!ls": "line 2: it is a command", "func f() {}\nfmt.Println(f())": "from line 1",
	} {
		if got, err := Formatted(text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q becomes %q, %v; want an error with %q", text, got, err, want)
		}
	}
}
