package cluster

import (
	"cmp"
	"context"
	"fmt"
	"math"

	"github.com/prlab/prlab/datasets"
	"github.com/prlab/prlab/plotting"
	"github.com/prlab/prlab/prl/cell"
	"github.com/prlab/prlab/prl/fault"
	"github.com/prlab/prlab/prl/plan"
)

// HierarchyOptions are the settings of PlanHierarchy.
type HierarchyOptions struct {
	Linkage Linkage // default Average
	Groups  int     // into which the tree is cut; default 2
}

// A HierarchyPlan is a hierarchical clustering described step by step: PlanHierarchy().Ward().Groups(3).Fit(set). Class labels are not
// used.
//
//plan:step Linkage Linkage(l Linkage) // sets how far two groups are apart; Average unless set
//plan:step Groups Groups(k int) // sets into how many groups the tree is cut; 2 unless set
//plan:without Keep
type HierarchyPlan struct {
	plan.Plan[*Dendrogram, HierarchyOptions]
}

// PlanHierarchy begins a tree of the rows, by average linkage, cut into two groups.
func PlanHierarchy() HierarchyPlan {
	return HierarchyPlan{plan.New(plan.Spec[*Dendrogram, HierarchyOptions]{
		Name: "Hierarchy", Options: HierarchyOptions{Average, 2}, Needs: plan.Rows,
		Check: func(step string, o HierarchyOptions) error {
			if o.Groups < 1 {
				return fault.Argument(step, "k", o.Groups, "at least 1", "")
			}
			return o.Linkage.check(step)
		},
		Fit: func(ctx context.Context, set datasets.Set, o HierarchyOptions) (*Dendrogram, error) {
			return Agglomerate(ctx, set.X, o.Linkage)
		},
	})}
}

// Single measures groups by their nearest pair.
func (p HierarchyPlan) Single() HierarchyPlan { return p.linkage("Single", Single) }

// Complete measures groups by their farthest pair.
func (p HierarchyPlan) Complete() HierarchyPlan { return p.linkage("Complete", Complete) }

// Average measures groups by the mean over all pairs.
func (p HierarchyPlan) Average() HierarchyPlan { return p.linkage("Average", Average) }

// Ward joins the groups whose union adds least to the sum of squares.
func (p HierarchyPlan) Ward() HierarchyPlan { return p.linkage("Ward", Ward) }

func (p HierarchyPlan) linkage(step string, l Linkage) HierarchyPlan {
	return plan.With(p, step, func(o *HierarchyOptions) { o.Linkage = l })
}

// Labels returns the group, from 0, of each row of the data of the fit: in the order of their first row.
func (p HierarchyPlan) Labels() []int {
	return plan.Value(p, "Labels", func(t *Dendrogram) ([]int, error) { return t.Cut(plan.Options(p).Groups) })
}

// Sizes returns the number of rows in each group.
func (p HierarchyPlan) Sizes() []int {
	return plan.Value(p, "Sizes", func(t *Dendrogram) ([]int, error) {
		labels, err := t.Cut(plan.Options(p).Groups)
		return count(labels), err
	})
}

func count(labels []int) []int {
	var sizes []int
	for _, c := range labels {
		for len(sizes) <= c {
			sizes = append(sizes, 0)
		}
		if c >= 0 {
			sizes[c]++
		}
	}
	return sizes
}

// Heights returns the height of each join, n-1 in number.
func (p HierarchyPlan) Heights() []float64 {
	return plan.Value(p, "Heights", func(t *Dendrogram) ([]float64, error) { return t.Heights(), nil })
}

// Cut returns where a projection or a tree is cut: the group of each row when only joins of at most the height are made.
func (p HierarchyPlan) Cut(height float64) []int {
	return plan.Value(p, "Cut", func(t *Dendrogram) ([]int, error) { return t.CutAt(height), nil }, height)
}

// most is the number of leaves up to which a picture shows all of them.
const most = 60

// Dendrogram draws the tree with its groups in their colours. Of more than 60 rows it draws the last 40 joins, each leaf with the number of
// its rows.
func (p HierarchyPlan) Dendrogram() *plotting.Figure {
	return plan.Figure(p, "Dendrogram", func(t *Dendrogram) (*plotting.Figure, error) {
		labels, err := t.Cut(plan.Options(p).Groups)
		if err != nil {
			return nil, err
		}
		var names []string
		shown, f := t, plotting.New()
		if t.n > most {
			top, groups := t.Last(max(40, plan.Options(p).Groups))
			small := make([]int, len(groups))
			for i, g := range groups {
				small[i] = labels[g[0]]
				names = append(names, fmt.Sprint(len(g)))
			}
			shown, labels = top, small
			f = f.X("rows in each leaf")
		} else {
			f = f.X("row")
		}
		if len(shown.merges) == 0 {
			return nil, fault.Argument("Dendrogram", "the data", "one row", "at least 2", "")
		}
		layer := plotting.Dendrogram(shown.merges, names...).By(labels, groupNames("group", len(count(labels)))...)
		return f.Add(layer).Y("height").Title(fmt.Sprintf("Tree by %s linkage", plan.Options(p).Linkage)), nil
	})
}

func groupNames(what string, k int) []string {
	out := make([]string, k)
	for c := range out {
		out[c] = fmt.Sprintf("%s %d", what, c+1)
	}
	return out
}

// Clusters draws the rows by cluster: here by group; of more than two features it shows the first two.
func (p HierarchyPlan) Clusters() *plotting.Figure {
	return plan.Figure(p, "Clusters", func(t *Dendrogram) (*plotting.Figure, error) {
		labels, err := t.Cut(plan.Options(p).Groups)
		if err != nil {
			return nil, err
		}
		return scatter(plan.Data(p), labels, groupNames("group", len(count(labels)))), nil
	})
}

// scatter draws rows by label; the last name stands for noise, -1, if there is a name more than labels.
func scatter(set datasets.Set, labels []int, names []string) *plotting.Figure {
	x, y := set.Points()
	f := plotting.New()
	var in, out []int
	for i, c := range labels {
		if c < 0 {
			out = append(out, i)
		} else {
			in = append(in, i)
		}
	}
	pick := func(rows []int) (px, py []float64, by []int) {
		for _, i := range rows {
			px, py, by = append(px, x[i]), append(py, y[i]), append(by, labels[i])
		}
		return px, py, by
	}
	if len(in) > 0 {
		px, py, by := pick(in)
		f = f.Add(plotting.Points(px, py).By(by, names...).Rows(in))
	}
	if len(out) > 0 {
		px, py, _ := pick(out)
		f = f.Add(plotting.Points(px, py).Muted().Marker("cross").Name("noise").Rows(out))
	}
	f = f.X(set.FeatureNames[0])
	if set.D() > 1 {
		f = f.Y(set.FeatureNames[1])
	}
	if set.D() > 2 {
		f = f.Caption(fmt.Sprintf("The first two of %d features.", set.D()))
	}
	return f
}

// Show shows the picture or table that says most: Dendrogram.
func (p HierarchyPlan) Show() { p.Dendrogram().Show() }

// Table lists parameters and diagnostics: the last joins, at most 10, the highest first.
func (p HierarchyPlan) Table() cell.Table {
	return plan.Table(p, "Table", func(t *Dendrogram) (cell.Table, error) {
		out := cell.NewTable("groups before", "height", "rows joined").Title(t.String())
		for m := len(t.merges) - 1; m >= max(0, len(t.merges)-10); m-- {
			out = out.Row(t.n-m, t.merges[m][2], int(t.merges[m][3]))
		}
		return out, nil
	})
}

// A DBSCANPlan is a clustering by density described step by step: PlanDBSCAN(0.3, 5).Fit(set). Class labels are not used.
//
//plan:face
type DBSCANPlan struct {
	plan.Plan[*DBSCAN, DBSCANOptions]
}

// PlanDBSCAN begins a clustering of rows that have at least so many rows, themselves among them, within the radius.
func PlanDBSCAN(radius float64, least int) DBSCANPlan {
	return DBSCANPlan{plan.New(plan.Spec[*DBSCAN, DBSCANOptions]{
		Name: "DBSCAN", Args: []any{radius, least}, Options: DBSCANOptions{radius, least}, Needs: plan.Rows,
		Check: func(step string, o DBSCANOptions) error {
			if !(o.Radius > 0) {
				return fault.Argument(step, "radius", o.Radius, "a positive number", "")
			}
			return o.check(step)
		},
		Fit: func(ctx context.Context, set datasets.Set, o DBSCANOptions) (*DBSCAN, error) {
			return FitDBSCAN(ctx, set.X, o)
		},
	})}
}

// Labels returns the group, from 0, of each row of the data of the fit: its cluster, and -1 for noise.
func (p DBSCANPlan) Labels() []int {
	return plan.Value(p, "Labels", func(m *DBSCAN) ([]int, error) { return m.Labels(), nil })
}

// Sizes returns the number of rows in each group: in each cluster, without noise.
func (p DBSCANPlan) Sizes() []int {
	return plan.Value(p, "Sizes", func(m *DBSCAN) ([]int, error) { return count(m.labels), nil })
}

// Clusters draws the rows by cluster: noise as crosses; of more than two features it shows the first two.
func (p DBSCANPlan) Clusters() *plotting.Figure {
	return plan.Figure(p, "Clusters", func(m *DBSCAN) (*plotting.Figure, error) {
		return scatter(plan.Data(p), m.labels, groupNames("cluster", m.k)).Title(m.String()), nil
	})
}

// Show shows the picture or table that says most: Clusters.
func (p DBSCANPlan) Show() { p.Clusters().Show() }

// Table lists parameters and diagnostics: the sizes of the clusters and the noise.
func (p DBSCANPlan) Table() cell.Table {
	return plan.Table(p, "Table", func(m *DBSCAN) (cell.Table, error) {
		t := cell.NewTable("cluster", "rows", "cores").Title(m.String())
		cores := make([]int, m.k)
		for _, i := range m.rows {
			cores[m.labels[i]]++
		}
		for c, size := range count(m.labels) {
			t = t.Row(c+1, size, cores[c])
		}
		return t.Row("noise", m.Noise(), 0), nil
	})
}

// OutliersOptions are the settings of PlanOutliers.
type OutliersOptions struct {
	Robust bool
	Level  float64 // default 0.975
	Seed   uint64
}

// An OutliersPlan flags rows far from an ellipse, described step by step: PlanOutliers().Robust().Fit(set). Class labels are not used.
//
//plan:step Robust Robust // takes the ellipse of the minimum covariance determinant, which outliers do not pull
//plan:step Level Level(level float64) // sets the quantile of chi-square beyond which a row is flagged; 0.975 unless set
//plan:step Seed Seed // of the robust ellipse; 1 unless set
//plan:without Keep
type OutliersPlan struct {
	plan.Plan[*Ellipse, OutliersOptions]
}

// PlanOutliers begins a search for rows whose squared Mahalanobis distance exceeds the .975 quantile of chi-square.
func PlanOutliers() OutliersPlan {
	return OutliersPlan{plan.New(plan.Spec[*Ellipse, OutliersOptions]{
		Name: "Outliers", Options: OutliersOptions{Level: 0.975}, Needs: plan.Rows,
		Check: func(step string, o OutliersOptions) error {
			if !(o.Level > 0 && o.Level < 1) {
				return fault.Argument(step, "level", o.Level, "a number between 0 and 1", "")
			}
			return nil
		},
		Fit: func(ctx context.Context, set datasets.Set, o OutliersOptions) (*Ellipse, error) {
			if o.Robust {
				return MCD(ctx, set.X, MCDOptions{Seed: o.Seed})
			}
			return Mahalanobis(set.X)
		},
	})}
}

// Squares returns the squared Mahalanobis distance of each row.
func (p OutliersPlan) Squares() []float64 {
	return plan.Value(p, "Squares", func(e *Ellipse) ([]float64, error) { return e.Squares(plan.Data(p).X) })
}

// Flagged returns the rows that lie outside: those beyond the quantile.
func (p OutliersPlan) Flagged() []int { return plan.Value(p, "Flagged", p.flagged) }

func (p OutliersPlan) flagged(e *Ellipse) ([]int, error) {
	squares, err := e.Squares(plan.Data(p).X)
	if err != nil {
		return nil, err
	}
	limit, err := SquareQuantile(plan.Options(p).Level, 0, len(e.Mean))
	var out []int
	for i, s := range squares {
		if s > limit {
			out = append(out, i)
		}
	}
	return out, err
}

// Show shows the picture or table that says most: two features with the ellipse at the quantile and the flagged rows, and otherwise Table.
func (p OutliersPlan) Show() {
	if set := plan.Data(p); p.Err() != nil || set.D() != 2 {
		p.Table().Show()
		return
	}
	plan.Figure(p, "Show", func(e *Ellipse) (*plotting.Figure, error) {
		rows, err := p.flagged(e)
		if err != nil {
			return nil, err
		}
		limit, err := SquareQuantile(plan.Options(p).Level, 0, 2)
		if err != nil {
			return nil, err
		}
		labels := make([]int, plan.Data(p).N())
		for _, i := range rows {
			labels[i] = 1
		}
		f := scatter(plan.Data(p), labels, []string{"inside", "flagged"})
		return f.Add(plotting.Ellipse(e.Mean, e.Covariance).Sigma(math.Sqrt(limit)).Accent()).
			Title(fmt.Sprintf("%d of %d rows flagged", len(rows), len(labels))), nil
	}).Show()
}

// Table lists parameters and diagnostics: mean and standard deviation of each feature, and how many rows are flagged.
func (p OutliersPlan) Table() cell.Table {
	return plan.Table(p, "Table", func(e *Ellipse) (cell.Table, error) {
		rows, err := p.flagged(e)
		if err != nil {
			return cell.Table{}, err
		}
		set := plan.Data(p)
		t := cell.NewTable("feature", "mean", "standard deviation").Note(fmt.Sprintf("%d of %d rows flagged", len(rows), set.N()))
		for j, m := range e.Mean {
			t = t.Row(cmp.Or(set.FeatureNames[j], fmt.Sprint(j+1)), m, math.Sqrt(e.Covariance.At(j, j)))
		}
		return t, nil
	})
}
