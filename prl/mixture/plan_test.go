package mixture

import (
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/prlab/prlab/datasets"
	"github.com/prlab/prlab/plotting"
)

func TestPlans(t *testing.T) {
	X := faithful()
	set := datasets.New("faithful", X, nil).Named("eruptions", "waiting")
	p := PlanGMM(2).Full().Seed(1).Fit(set)
	line := PlanGMM(2).Fit(set.Features("eruptions"))
	k := PlanKMeans(2).Fit(set)
	for name, err := range map[string]error{
		"clusters": p.Clusters().Err(), "regions": p.Regions().Err(), "iterations": p.Iterations().Err(),
		"decomposition": p.Decomposition().Err(), "BIC": p.BIC(3).Err(), "table": p.Table().Err(),
		"line": line.Clusters().Err(), "line iterations": line.Iterations().Err(),
		"k-means": k.Clusters().Err(), "rounds": k.Iterations().Err(), "cells": k.Regions().Err(), "k-means table": k.Table().Err(),
	} {
		if err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
	for _, c := range []struct {
		err  error
		want string
	}{
		{PlanGMM(0).Err(), "k is 0"},
		{PlanGMM(2).Reg(-1).Fit(set).Err(), "Reg is -1"},
		{second(PlanGMM(2).Fitted()), "without data"},
		{PlanGMM(273).Fit(set).Err(), "K is 273"},
		{line.Regions().Err(), "of 1 features"},
		{PlanKMeans(300).Fit(set).Err(), "k is 300"},
		{second(PlanKMeans(2).Fitted()), "without data"},
		{PlanGMM(2).From(GMMParameters{}).Err(), "Weights is empty"},
	} {
		if c.err == nil || !strings.Contains(c.err.Error(), c.want) {
			t.Errorf("error %v, want %q", c.err, c.want)
		}
	}
	if got := p.String(); !strings.HasPrefix(got, "GMM(2).Full().Seed(1).Fit(") {
		t.Errorf("plan reads %s", got)
	}
}

// The picture of a mixture keeps to the budget of a notebook, 40 KB beside the runtime that every page has once.
func TestFigureSize(t *testing.T) {
	X := faithful()
	p := PlanGMM(3).Tied().Fit(datasets.New("faithful", X, nil).Named("eruptions", "waiting"))
	page, err := p.Clusters().HTML()
	if err != nil {
		t.Fatal(err)
	}
	empty, err := plotting.New(plotting.Points([]float64{1}, []float64{1})).HTML()
	if err != nil {
		t.Fatal(err)
	}
	if size := len(page) - len(empty); size > 40<<10 {
		t.Errorf("the picture takes %d bytes", size)
	}
}

// What a clusterer and a density can do, and names that survive Keep.
func TestWords(t *testing.T) {
	t.Setenv("PRL_CACHE", t.TempDir())
	set := datasets.New("faithful", faithful(), nil).Named("eruptions", "waiting")
	p := PlanGMM(2).Fit(set).Keep()
	m := p.Model()
	if again := PlanGMM(2).Fit(set).Keep(); again.Model() == m || again.Table().String() != p.Table().String() ||
		again.Model().FeatureName(1) != "waiting" {
		t.Errorf("kept and read:\n%v", again.Table())
	}
	if d, want := p.LogDensity(3, 70), m.Density(3, 70); math.Abs(math.Exp(d)-want) > 1e-12*want {
		t.Errorf("log density %g where the density is %g", d, want)
	}
	s := p.Sample(50, 3)
	if s.Err() != nil || s.N() != 50 || s.FeatureNames[1] != "waiting" || s.ClassNames[1] != "component 2" {
		t.Errorf("sample %v: %v", s, s.Err())
	}
	if sizes := p.Sizes(); sizes[0]+sizes[1] != 272 || !slices.Equal(p.Labels(), m.Labels()) || !slices.Equal(p.Predict(set), m.Labels()) {
		t.Errorf("sizes %v", sizes)
	}
	k := PlanKMeans(2).Fit(set)
	if !slices.Equal(k.Sizes(), k.Model().Sizes()) || !slices.Equal(k.Labels(), k.Model().Labels()) {
		t.Errorf("sizes %v", k.Sizes())
	}
	if i := len(p.Trace().Iterations()); i < 2 || len(k.Trace().Rounds()) < 2 {
		t.Errorf("%d iterations", i)
	}
}
