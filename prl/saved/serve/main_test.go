package main

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"strings"
	"testing"

	"github.com/prlab/prlab/datasets"
	"github.com/prlab/prlab/prl/bayes"
	"github.com/prlab/prlab/prl/plan"
	"github.com/prlab/prlab/prl/prepare"
	"github.com/prlab/prlab/prl/saved"
)

// A model that was written answers over HTTP as it does in the program that fitted it.
func TestServe(t *testing.T) {
	birds := datasets.PalmerPenguins().Label("species")
	p := plan.PlanPipeline(prepare.PlanImpute(), prepare.PlanOneHot(), prepare.PlanStandardize()).
		Then(bayes.PlanLDA().Shrinkage(0.1)).
		Fit(birds)
	path := filepath.Join(t.TempDir(), "species.prl")
	if err := saved.Write(path, p); err != nil {
		t.Fatal(err)
	}
	model, err := saved.Read(path)
	if err != nil {
		t.Fatal(err)
	}
	server := httptest.NewServer(handler(model))
	defer server.Close()
	ask := func(body string) (int, map[string]any, string) {
		response, err := http.Post(server.URL, "application/json", strings.NewReader(body))
		if err != nil {
			t.Fatal(err)
		}
		defer response.Body.Close()
		var text strings.Builder
		buffer := make([]byte, 4096)
		for {
			n, err := response.Body.Read(buffer)
			text.Write(buffer[:n])
			if err != nil {
				break
			}
		}
		var answer map[string]any
		json.Unmarshal([]byte(text.String()), &answer)
		return response.StatusCode, answer, text.String()
	}
	proba := p.Proba(birds)
	for _, i := range []int{0, 3, 200, 340} {
		record := map[string]any{}
		table := datasets.PalmerPenguins().Drop("species").Rows(i)
		for _, name := range table.Columns() {
			switch word := table.Words(name)[0]; {
			case word == "":
				record[name] = nil
			case strings.Contains(name, "bill") || strings.Contains(name, "flipper") || strings.Contains(name, "body") ||
				strings.Contains(name, "delta"):
				record[name] = table.Numbers(name)[0]
			default:
				record[name] = word
			}
		}
		body, err := json.Marshal(record)
		if err != nil {
			t.Fatal(err)
		}
		status, answer, text := ask(string(body))
		want := birds.ClassNames[p.Predict(birds)[i]]
		if status != http.StatusOK || answer["class"] != want {
			t.Errorf("%s\nis answered with %d %s, want %s", body, status, text, want)
			continue
		}
		for k, name := range birds.ClassNames {
			if got := answer["probabilities"].(map[string]any)[name]; got != proba.At(i, k) {
				t.Errorf("row %d: probability %v of %s, want %v", i, got, name, proba.At(i, k))
			}
		}
	}
	for body, want := range map[string]string{
		`{"iland": "Dream"}`:        `there is no feature "iland"; did you mean "island"?`,
		`{"island": 3}`:             `the value of "island" is 3, but needs to be one of the words Biscoe, Dream, Torgersen`,
		`{"island": "Atlantis"}`:    `the feature "island" is a word that the data of the fit do not have`,
		`{"egg laid": "yesterday"}`: `but needs to be a day such as 2009-11-16`,
		`[]`:                        `cannot unmarshal array`,
	} {
		if status, _, text := ask(body); status != http.StatusBadRequest || !strings.Contains(text, want) {
			t.Errorf("%s is answered with %d %s, want %s", body, status, text, want)
		}
	}
}
