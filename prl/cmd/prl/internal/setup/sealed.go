package setup

import (
	"fmt"
	"os"
	"path/filepath"
)

// Sealed reports whether the clone is set up for everybody on the machine, as in a container's image: .prl holds the file "sealed", is
// complete, and is not changed any more. The people who use such a lab may be unable to write in it.
func (l *Lab) Sealed() bool {
	_, err := os.Stat(l.State("sealed"))
	return err == nil
}

// checkSealed looks whether a sealed set-up is complete; only whoever sealed it can mend it.
func (l *Lab) checkSealed() error {
	for _, path := range l.sealedParts() {
		if _, err := os.Stat(path); err != nil {
			return &Need{
				What:   fmt.Sprintf("the lab in %s is sealed, but lacks %s", l.Checkout, filepath.Base(path)),
				Remedy: "ask whoever set it up; or, if that is you: rm " + l.State("sealed") + " && go tool prl lab",
			}
		}
	}
	return nil
}

func (l *Lab) sealedParts() []string {
	return []string{
		l.Python(), l.Bin("gonb"), l.Bin("goimports"), l.Bin("gopls"), l.Bin("prl-kernel"), l.State("shim", "go"),
		l.State("python", "share", "jupyter", "kernels", KernelName, "kernel.json"),
	}
}

// Own is a place for what verbs make and may lose: in .prl, or, if the lab is sealed, in the person's own cache.
func (l *Lab) Own(names ...string) string {
	if !l.Sealed() {
		return l.State(names...)
	}
	base, err := os.UserCacheDir()
	if err != nil {
		base = os.TempDir()
	}
	return filepath.Join(append([]string{base, "prl"}, names...)...)
}

// missingInSealed is the remedy for an optional program that whoever sealed the lab has left out.
const missingInSealed = "ask whoever set up this lab; in a container, use the image's target full"
