package execute

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/prlab/prlab/prl/notebook"
)

func TestSetParameters(t *testing.T) {
	source := "import \"fmt\"\nvar gamma float64 = 0.5\nconst (\n\tname = \"iris\"\n\tn = 3 // rows\n)\n%%\nfmt.Println(gamma, name, n)"
	read := func() *notebook.Notebook {
		text, _ := json.Marshal(source)
		n, err := notebook.Parse([]byte(`{"cells":[{"cell_type":"code","id":"a","metadata":{},"outputs":[],"source":` + string(text) + `},` +
			`{"cell_type":"code","id":"b","metadata":{},"outputs":[],"source":"fmt.Println(1)"}],"metadata":{},"nbformat":4,"nbformat_minor":5}`))
		if err != nil {
			t.Fatal(err)
		}
		return n
	}
	n := read()
	if err := setParameters(n, []string{"gamma=2.5", "name=wine", "n = 7"}); err != nil {
		t.Fatal(err)
	}
	want := strings.NewReplacer("0.5", "2.5", `"iris"`, `"wine"`, "n = 3", "n = 7").Replace(source)
	if got := n.Cells[0].Source(); got != want {
		t.Errorf("got %s", got)
	}
	for parameter, sign := range map[string]string{
		"gama=1": `did you mean "gamma"?`, "gamma": "name=value", "gamma=1 +": "no expression",
		"=3": "name=value", "x y=1": "name=value",
	} {
		if err := setParameters(read(), []string{parameter}); err == nil || !strings.Contains(err.Error(), sign) {
			t.Errorf("%s: %v", parameter, err)
		}
	}
}
