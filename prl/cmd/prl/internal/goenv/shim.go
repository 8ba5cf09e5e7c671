package goenv

import _ "embed"

// Shim is the script that set-up writes to .prl/shim/go.
//
//go:embed shim.sh
var Shim []byte
