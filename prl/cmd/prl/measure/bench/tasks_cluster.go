package bench

import (
	"context"
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/prlab/prlab/prl/cluster"
)

// linkageTask joins the training rows into a tree. Both sides begin with the rows: finding their distances is a part of it.
func linkageTask(linkage cluster.Linkage) Task {
	return Task{
		Name: "linkage " + string(linkage), Data: "mix", Rows: [3]int{200, 1000, 4000}, Peers: []string{"scipy"},
		Rivals:   []string{"fastcluster"},
		Gauges:   []Gauge{{"sum of heights", Equal, same}, {"heights by size", Equal, same}},
		Settings: "Euclidean distances of the rows",
		make: func(in *input) (*job, error) {
			var tree *cluster.Dendrogram
			return &job{n: in.n(), d: in.d(), run: func() (err error) {
				tree, err = cluster.Agglomerate(context.Background(), in.X, linkage)
				return err
			}, quality: func() (map[string]float64, error) {
				q := map[string]float64{"sum of heights": 0, "heights by size": 0}
				for _, j := range tree.Merges() {
					q["sum of heights"] += j[2]
					q["heights by size"] += j[2] * j[3]
				}
				return q, nil
			}}, nil
		},
	}
}

// dbscan clusters rows. Which rows are cores, how many clusters these form and which rows are noise follows from the definition; to which
// of two clusters a row between them belongs does not.
func dbscan(X *mat.Dense, radius float64) *job {
	n, d := X.Dims()
	var m *cluster.DBSCAN
	return &job{n: n, d: d, run: func() (err error) {
		m, err = cluster.FitDBSCAN(context.Background(), X, cluster.DBSCANOptions{Radius: radius, Least: 5})
		return err
	}, quality: func() (map[string]float64, error) {
		return map[string]float64{"cores": float64(len(m.Cores())), "clusters": float64(m.K()), "noise": float64(m.Noise())}, nil
	}}
}

var (
	dbscanPeers  = []string{"kd_tree", "ball_tree", "brute"}
	dbscanGauges = []Gauge{{"cores", Equal, same}, {"clusters", Equal, same}, {"noise", Equal, same}}
)

var clusterTasks = []Task{
	linkageTask(cluster.Single), linkageTask(cluster.Complete), linkageTask(cluster.Average), linkageTask(cluster.Ward),
	{
		Name: "dbscan fit", Data: "mix", Rows: [3]int{200, 5000, 10000}, Peers: dbscanPeers,
		Rivals: []string{"intelex"}, Blas: true, Gauges: dbscanGauges,
		Settings: "radius 0.9 sqrt(d), cores of 5 rows",
		make:     func(in *input) (*job, error) { return dbscan(in.X, 0.9*math.Sqrt(float64(in.d()))), nil },
	},
	{
		Name: "dbscan fit in 3 columns", Data: "mix", Rows: [3]int{200, 10000, 50000}, Peers: dbscanPeers[:2], Gauges: dbscanGauges,
		Settings: "first 3 columns, radius 0.25, cores of 5 rows",
		make:     func(in *input) (*job, error) { return dbscan(firstColumns(in.X, 3), 0.25), nil },
	},
}
