//go:build !js

package saved

import (
	"fmt"
	"strings"

	"github.com/prlab/prlab/datasets"
	"github.com/prlab/prlab/plotting"
	"github.com/prlab/prlab/prl/assess"
	"github.com/prlab/prlab/prl/cell"
	"github.com/prlab/prlab/prl/estimator"
	"github.com/prlab/prlab/prl/internal/atomicfile"
	"github.com/prlab/prlab/prl/plan"
)

// Report writes one page of HTML about a fitted plan, with everything in it and nothing fetched: what the model is and how it came about,
// the data of the fit, and how well it does on a test set. Of a classifier these are the rates with their intervals, the confusion matrix
// and the ROC, of a regression the errors and the prediction over the target, of a detection of novelty the share of rows of each class
// that lie outside, and the values on which that rests. Without a test set the data of the fit are judged, and the
// page says that this flatters.
func Report(path string, p plan.Trainable, test ...datasets.Set) error {
	page, err := Page(p, test...)
	if err != nil {
		return err
	}
	if err := atomicfile.Write(path, []byte(page), 0o644); err != nil {
		return fmt.Errorf("saved.Report: %w", err)
	}
	return nil
}

// A wide table or figure is moved sideways where the page is narrow, rather than made too small to be read.
var style = `body{font:16px/1.5 "Liberation Sans",Arial,sans-serif;max-width:60em;margin:2em auto;padding:0 1em;
color:#1b1f24;background:#fff}
h1{font-size:1.4em}h2{font-size:1.2em;margin-top:2em}code{font-size:.95em;overflow-wrap:anywhere}figure{margin:1em 0}
.wide{overflow-x:auto}figure>svg{max-width:100%;min-width:26rem;height:auto}.data td:last-child{min-width:13em}
@media screen and (prefers-color-scheme:dark){body{color:#e6e8eb;background:#111}` + plotting.DarkStills() + `}`

// Page is Report as text.
func Page(p plan.Trainable, test ...datasets.Set) (string, error) {
	m, err := Of(p)
	if err != nil {
		return "", err
	}
	set, where := plan.Data(p), "the rows of the fit, which flatters the model"
	if len(test) > 0 {
		set, where = test[0], fmt.Sprintf("%d rows of %s", test[0].N(), test[0].Name)
	}
	judged, err := m.judge(p, set)
	if err != nil {
		return "", err
	}
	var b strings.Builder
	name := m.Text // of a pipeline, the model at its end
	if i := strings.LastIndex(name, " → "); i >= 0 {
		name = name[i+len(" → "):]
	}
	title := cell.Escape(name)
	b.WriteString(
		"<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><meta name=\"viewport\" content=\"width=device-width\">" +
			"<meta name=\"color-scheme\" content=\"light dark\">",
	)
	b.WriteString("<title>" + title + "</title><style>" + style + "</style></head><body>\n<h1>" + title + "</h1>\n")
	b.WriteString("<p><code>" + cell.Escape(m.Plan) + "</code></p>\n")
	section := func(head, class string, parts ...string) {
		b.WriteString("<h2>" + cell.Escape(head) + "</h2>\n")
		for _, part := range parts {
			b.WriteString(`<div class="` + class + `">` + part + "</div>\n")
		}
	}
	section("How well it does on "+where, "wide", judged...)
	section("The data of the fit", "wide data", plan.Data(p).Describe().HTML())
	section("The model", "wide", m.Table().Title("").HTML())
	b.WriteString("</body></html>\n")
	return b.String(), nil
}

// judge makes the tables and figures of how well the model does on a set.
func (m *Model) judge(p plan.Trainable, set datasets.Set) ([]string, error) {
	step := "Report"
	switch p := p.(type) {
	case plan.Classifying:
		if err := set.CheckLabels(step); err != nil {
			return nil, err
		}
		c := p.Confusion(set)
		if err := c.Err(); err != nil {
			return nil, err
		}
		t, err := m.rates(c.Confusion, set)
		if err != nil {
			return nil, err
		}
		parts := []string{t.HTML(), c.Table().Title("").HTML()}
		return figures(parts, p.ROC(set).Title("Receiver operating characteristic"))
	case plan.Regressing:
		set, err := plan.Admitted(m.Fitted, step, set)
		if err != nil {
			return nil, err
		}
		predicted, err := m.Fitted.(estimator.Regressor).Predict(set.X)
		if err != nil {
			return nil, err
		}
		r, err := assess.NewRegression(set.Target, predicted, nil)
		if err != nil {
			return nil, err
		}
		t := cell.NewTable("figure", "value").Row("R²", r.R2).Row("root mean squared error", r.RMSE()).Row("mean absolute error", r.MAE)
		lo, hi := set.Target[0], set.Target[0]
		for _, v := range set.Target {
			lo, hi = min(lo, v), max(hi, v)
		}
		return figures([]string{t.HTML()}, plotting.New(plotting.Points(set.Target, predicted).Opacity(0.6),
			plotting.Line([]float64{lo, hi}, []float64{lo, hi}).Dash().Muted().Name("as it came")).
			X(m.Target).Y("predicted").Title("Prediction over what came"))
	}
	if found, ok := m.Fitted.(plan.NoveltyModel); ok {
		return m.outside(found, set)
	}
	return nil, fmt.Errorf("Report: %s is neither a classifier, a regression nor a detection of novelty", p)
}

// outside makes the table and figure of how a detection of novelty takes the rows of a set, by their classes where they have some.
func (m *Model) outside(found plan.NoveltyModel, set datasets.Set) ([]string, error) {
	set, err := plan.Admitted(m.Fitted, "Report", set)
	if err != nil {
		return nil, err
	}
	if err := set.CheckRows("Report"); err != nil {
		return nil, err
	}
	classes, err := found.Predict(set.X)
	if err != nil {
		return nil, err
	}
	scores, err := plan.Scores(found, set.X)
	if err != nil {
		return nil, err
	}
	values := make([]float64, len(classes))
	for i := range values {
		values[i] = scores.At(i, 0)
	}
	t := cell.NewTable("rows", "number", "novel", "share", "95 % from", "to")
	row := func(name string, is func(i int) bool) error {
		n, novel := 0, 0
		for i, c := range classes {
			if is(i) {
				n++
				if c == plan.Novel {
					novel++
				}
			}
		}
		if n == 0 {
			return nil
		}
		w, err := assess.Wilson(novel, n, 0.95)
		t = t.Row(name, n, novel, w.Estimate, w.Lo, w.Hi)
		return err
	}
	drawn := plotting.Histogram(values)
	if set.Y != nil {
		drawn = drawn.By(set.Y, set.ClassNames...)
		for k, name := range set.ClassNames {
			if err := row(name, func(i int) bool { return set.Y[i] == k }); err != nil {
				return nil, err
			}
		}
	}
	if err := row("all", func(int) bool { return true }); err != nil {
		return nil, err
	}
	return figures([]string{t.HTML()}, plotting.New(drawn, plotting.VRule(0).Dash().Name("boundary")).X("f(x), novel below 0").Y("rows").
		Title("Values on which the detection rests"))
}

// rates are the figures of a confusion matrix, with the intervals of those that are shares of rows.
func (m *Model) rates(c assess.Confusion, set datasets.Set) (cell.Table, error) {
	t := cell.NewTable("rate", "value", "95 % from", "to")
	share := func(name string, k, n float64) error {
		w, err := assess.Wilson(int(k), int(n), 0.95)
		t = t.Row(name, w.Estimate, w.Lo, w.Hi)
		return err
	}
	if err := share("accuracy", c.Right(), c.Total()); err != nil {
		return t, err
	}
	most := 0
	for _, n := range set.Counts() {
		most = max(most, n)
	}
	if err := share("the most frequent class alone would have", float64(most), c.Total()); err != nil {
		return t, err
	}
	for k, row := range c.Counts {
		rows, name := 0.0, m.Classes
		for _, v := range row {
			rows += v
		}
		if rows == 0 || k >= len(name) {
			continue
		}
		if err := share("recall of "+name[k], row[k], rows); err != nil {
			return t, err
		}
	}
	t = t.Row("balanced accuracy", c.BalancedAccuracy(), "", "").Row("Matthews correlation", c.Matthews(), "", "")
	if sure, ok := m.Fitted.(estimator.ProbabilisticClassifier); ok {
		set, err := plan.Admitted(m.Fitted, "Report", set)
		if err != nil {
			return t, err
		}
		if proba, err := sure.Proba(set.X); err == nil {
			loss, err := assess.LogLoss(set.Y, proba, nil)
			if err != nil {
				return t, err
			}
			brier, err := assess.Brier(set.Y, proba, nil)
			if err != nil {
				return t, err
			}
			t = t.Row("log loss (nats)", loss, "", "").Row("Brier score", brier, "", "")
		}
	}
	return t, nil
}

// figures appends figures as stills. A figure that cannot be drawn for want of scores is left out with the reason.
func figures(parts []string, figs ...*plotting.Figure) ([]string, error) {
	for _, fig := range figs {
		if err := fig.Err(); err != nil {
			parts = append(parts, "<p>"+cell.Escape(err.Error())+"</p>")
			continue
		}
		still, err := fig.SVG()
		if err != nil {
			return nil, err
		}
		parts = append(parts, "<figure>"+string(still)+"</figure>")
	}
	return parts, nil
}
