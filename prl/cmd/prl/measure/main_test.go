package main

import (
	"strings"
	"testing"
)

// TestBenchWrongCalls has calls that end before anything is installed or measured.
func TestBenchWrongCalls(t *testing.T) {
	for call, want := range map[string]string{
		"bench models --size Q":              "--size Q: it needs one or more of the letters S, M and L",
		"bench models --threads 0":           "--threads: each number must be at least 1",
		"bench models --task (":              "missing closing )",
		"bench models --task zzz":            "no task matches. There are: lda fit, lda predict",
		"bench models --cpu --threads 1,2":   "call it with --threads 1",
		"bench models --readme --task lda":   "[readme task]",
		"bench models --from /no/such.json":  "--from /no/such.json: open",
		"bench models --random 7 --count -1": "--count -1: 0 for all, or more",
		"bench growth --threads 0":           "--threads 0: at least 1",
		"bench model":                        `did you mean "models"?`,
		"bench cell":                         `did you mean "cells"?`,
		"bench cells --displays 1":           "--displays at least 50",
		"bench page --sample -1":             "--sample must be at least 0",
		"bench models --threads 1,x":         "--threads 1,x: it needs whole numbers with commas between them",
	} {
		command := newRoot()
		command.SetArgs(strings.Fields(call))
		if err := command.ExecuteContext(t.Context()); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %s", call, err, want)
		}
	}
}
