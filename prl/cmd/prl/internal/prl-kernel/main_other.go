//go:build !unix

package main

import (
	"fmt"
	"os"
)

func main() {
	fmt.Fprintln(os.Stderr, "prl-kernel: GoNB runs on Linux and macOS; on Windows use the Windows Subsystem for Linux (wsl --install)")
	os.Exit(1)
}
