package setup

import (
	"fmt"
	"os"
	"path/filepath"
)

// checkSealed looks whether a sealed set-up is complete; only the person who sealed it can mend it.
func (l *Lab) checkSealed() error {
	for _, path := range l.sealedParts() {
		if _, err := os.Stat(path); err != nil {
			return &Need{
				What:   fmt.Sprintf("the lab in %s is sealed, but lacks %s", l.Checkout, filepath.Base(path)),
				Remedy: "ask the person who set it up; or, if that is you: rm " + l.State("sealed") + " && go tool prl lab",
			}
		}
	}
	return nil
}

func (l *Lab) sealedParts() []string {
	return []string{
		l.Python(), l.Bin("gonb"), l.Bin("goimports"), l.Bin("prl-kernel"), l.State("shim", "go"),
		l.State("python", "share", "jupyter", "kernels", KernelName, "kernel.json"),
	}
}

// missingInSealed is the remedy for an optional program that the sealed lab leaves out.
const missingInSealed = "ask the person who set up this lab; in a container, use the image's target full"
