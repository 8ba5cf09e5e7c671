package saved_test

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/prlab/prlab/datasets"
	"github.com/prlab/prlab/prl/markov"
	"github.com/prlab/prlab/prl/mixture"
	"github.com/prlab/prlab/prl/plan"
	"github.com/prlab/prlab/prl/prepare"
	"github.com/prlab/prlab/prl/saved"
	"github.com/prlab/prlab/prl/svm"
	"github.com/prlab/prlab/prl/tree"
)

func TestRoundTrip(t *testing.T) {
	birds := datasets.PalmerPenguins()
	set := birds.Drop("egg laid").Label("species")
	path := filepath.Join(t.TempDir(), "model.prl")
	p := plan.PlanPipeline(prepare.PlanImpute(), prepare.PlanOneHot(), prepare.PlanStandardize()).Then(svm.PlanSVM().RBF(0.1)).Fit(set)
	if err := saved.Write(path, p); err != nil {
		t.Fatal(err)
	}
	m, err := saved.Read(path)
	if err != nil {
		t.Fatal(err)
	}
	// The table has its columns in another order, more of them, and words numbered again.
	other := birds.Where("island", "Dream", "Torgersen").Select("sex", "delta C13", "delta N15", "egg laid", "body mass", "flipper length",
		"bill depth", "bill length", "clutch of two", "island")
	got, err := m.Predict(other)
	if err != nil {
		t.Fatal(err)
	}
	k := 0
	for i, class := range p.Predict(set) {
		if birds.Words("island")[i] != "Biscoe" {
			if got[k] != set.ClassNames[class] {
				t.Errorf("row %d is a %s, want %s", i, got[k], set.ClassNames[class])
			}
			k++
		}
	}
	if k != len(got) || m.Plan != p.String() || m.Features[3].Unit != "mm" ||
		!slices.Equal(m.Features[0].Words, []string{"Biscoe", "Dream", "Torgersen"}) {
		t.Error(k, m)
	}
	if _, err := m.Predict(other.Rename("sex", "gender")); err == nil || !strings.Contains(err.Error(), `there is no column "sex"`) {
		t.Error(err)
	}
	if _, err := m.Values(other); err == nil {
		t.Error("a classifier predicts numbers")
	}
	if text := m.Table().String(); !strings.Contains(text, "Pipeline(Impute(), OneHot(), Standardize()).Then(SVM().RBF(0.1))") {
		t.Error(text)
	}
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for _, at := range []int{0, 20, len(data) / 2, len(data) - 1} {
		damaged := slices.Clone(data)
		damaged[at] ^= 4
		if err := os.WriteFile(path, damaged, 0o600); err != nil {
			t.Fatal(err)
		}
		if _, err := saved.Read(path); err == nil {
			t.Errorf("a file with a wrong byte %d is read", at)
		}
	}
	if _, err := saved.Read("nowhere.prl"); err == nil || !strings.Contains(err.Error(), "there is no such file") {
		t.Error(err)
	}
	if err := saved.Write(path, prepare.PlanStandardize().Fit(datasets.Iris())); err == nil ||
		!strings.Contains(err.Error(), "a classifier, a regression") {
		t.Error(err)
	}
}

func TestRegression(t *testing.T) {
	birds := datasets.PalmerPenguins().DropMissing("body mass").Drop("egg laid")
	p := plan.PlanRegressionPipeline(prepare.PlanImpute(), prepare.PlanOneHot()).
		Then(tree.PlanRegressionTree().Depth(4)).
		Fit(birds.Target("body mass"))
	path := filepath.Join(t.TempDir(), "mass.prl")
	if err := saved.Write(path, p); err != nil {
		t.Fatal(err)
	}
	m, err := saved.Read(path)
	if err != nil {
		t.Fatal(err)
	}
	got, err := m.Values(birds)
	if err != nil || !slices.Equal(got, p.Predict(birds.Target("body mass"))) {
		t.Error(err)
	}
	page, err := saved.Page(p)
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"root mean squared error", "which flatters the model", "<svg", "body mass"} {
		if !strings.Contains(page, want) {
			t.Errorf("the page has no %q", want)
		}
	}
}

func TestNovelty(t *testing.T) {
	birds := datasets.PalmerPenguins().Drop("egg laid", "species")
	p := plan.PlanNoveltyPipeline(prepare.PlanImpute(), prepare.PlanOneHot(), prepare.PlanStandardize()).
		Then(svm.PlanOneClass().Nu(0.05)).
		Fit(birds.Unlabelled())
	path := filepath.Join(t.TempDir(), "novel.prl")
	if err := saved.Write(path, p); err != nil {
		t.Fatal(err)
	}
	m, err := saved.Read(path)
	if err != nil {
		t.Fatal(err)
	}
	got, err := m.Predict(birds)
	if err != nil {
		t.Fatal(err)
	}
	for i, c := range p.Predict(birds.Unlabelled()) {
		if want := []string{"novel", "inside"}[c]; got[i] != want {
			t.Fatalf("row %d is %s, want %s", i, got[i], want)
		}
	}
	// The page judges it, by species where the set has them.
	page, err := saved.Page(p, datasets.PalmerPenguins().Drop("egg laid").Label("species"))
	if err != nil {
		t.Fatal(err)
	}
	if keep := os.Getenv("PRL_REPORT_NOVELTY"); keep != "" {
		if err := os.WriteFile(keep, []byte(page), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	novel := strings.Count(strings.Join(got, " "), "novel")
	for _, want := range []string{"Chinstrap", "novel below 0", "<svg", "all</td>", fmt.Sprintf(">%d</td>", novel)} {
		if !strings.Contains(page, want) {
			t.Errorf("the page has no %q", want)
		}
	}
	page, err = saved.Page(svm.PlanOneClass().Nu(0.1).Fit(datasets.Faithful()))
	if err != nil || !strings.Contains(page, "which flatters the model") {
		t.Error(err)
	}
}

func TestReport(t *testing.T) {
	train, test := datasets.PalmerPenguins().Drop("egg laid").DropMissing("sex").Label("species").Split(0.7, 1)
	p := plan.PlanPipeline(prepare.PlanImpute(), prepare.PlanOneHot(), prepare.PlanStandardize()).
		Then(svm.PlanSVM().RBF(0.1).Probability()).
		Fit(train)
	path := filepath.Join(t.TempDir(), "report.html")
	if keep := os.Getenv("PRL_REPORT"); keep != "" {
		path = keep
	}
	if err := saved.Report(path, p, test); err != nil {
		t.Fatal(err)
	}
	page, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		"balanced accuracy", "recall of Chinstrap", "log loss", "<svg", "11 of 344 rows left out, with a gap in sex", "CC0 1.0",
		"one of the words Biscoe, Dream",
	} {
		if !strings.Contains(string(page), want) {
			t.Errorf("the page has no %q", want)
		}
	}
	for _, colour := range regexp.MustCompile(`(?:fill|stroke)="#[0-9a-f]+"`).FindAllString(string(page), -1) { // on dark pages too
		if !strings.Contains(string(page), "svg ["+colour+"]{") {
			t.Errorf("%s has no colour on a dark page", colour)
		}
	}
	for _, unwanted := range []string{"<script", "http://", "https://"} {
		if i := strings.Index(string(page), unwanted); i >= 0 && !strings.Contains(string(page[i:i+40]), "www.w3.org") {
			t.Errorf("the page fetches: %s", page[i:i+60])
		}
	}
}

// A hidden Markov model reads the rows of a table as a sequence and names their states.
func TestSequences(t *testing.T) {
	geyser := datasets.Faithful()
	p := markov.PlanGaussianHMM(2).States("short", "long").From(markov.GaussianParameters{
		Start: []float64{0.5, 0.5}, Transitions: [][]float64{{0.5, 0.5}, {0.5, 0.5}}, Kind: mixture.Tied,
		Means: [][]float64{{2, 50}, {4, 80}}, Covariances: [][][]float64{{{1, 0}, {0, 100}}, {{1, 0}, {0, 100}}},
	}).Fit(geyser)
	path := filepath.Join(t.TempDir(), "geyser.prl")
	if err := saved.Write(path, p); err != nil {
		t.Fatal(err)
	}
	m, err := saved.Read(path)
	if err != nil {
		t.Fatal(err)
	}
	got, err := m.Predict(geyser.Table())
	if err != nil {
		t.Fatal(err)
	}
	for i, state := range p.Labels() {
		if want := []string{"short", "long"}[state]; got[i] != want {
			t.Fatalf("row %d is in state %s, want %s", i, got[i], want)
		}
	}
}
