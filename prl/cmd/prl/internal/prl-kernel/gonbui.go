//go:build gonbui

package main

// What tutorials of GoNB import. The file is compiled into nothing; it keeps the checksums of these packages' modules in go.sum, so that
// cells can import them without the network.
import (
	_ "github.com/janpfeifer/gonb/gonbui"
	_ "github.com/janpfeifer/gonb/gonbui/comms"
	_ "github.com/janpfeifer/gonb/gonbui/dom"
	_ "github.com/janpfeifer/gonb/gonbui/widgets"
)
