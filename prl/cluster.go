package prl

import "github.com/prlab/prlab/prl/cluster"

// Hierarchy begins a tree of groups: Hierarchy().Ward().Groups(3).Fit(set). [cluster.HierarchyPlan] has its steps and answers.
func Hierarchy() cluster.HierarchyPlan { return cluster.PlanHierarchy() }

// DBSCAN begins a clustering of dense regions, where a core has so many rows within the radius: DBSCAN(0.3, 5).Fit(set).
// [cluster.DBSCANPlan] has its steps and answers, [cluster.FitDBSCAN] the formula.
func DBSCAN(radius float64, least int) cluster.DBSCANPlan { return cluster.PlanDBSCAN(radius, least) }

// Outliers begins a search for rows far from an ellipse: Outliers().Robust().Fit(set). [cluster.OutliersPlan] has its steps and answers.
func Outliers() cluster.OutliersPlan { return cluster.PlanOutliers() }
