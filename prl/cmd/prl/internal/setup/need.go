package setup

import "fmt"

// A Need is something the lab cannot do without, and the command that mends it.
type Need struct {
	What   string // what is missing, in a sentence without a full stop
	Remedy string // a command, or a sentence where no command is known
}

// Error is the message the command ends with.
func (n *Need) Error() string { return fmt.Sprintf("%s.\nTo mend it:\n    %s", n.What, n.Remedy) }

// remedies has, for each thing and installer, the command; under "" stands what to do where the installer is unknown.
var remedies = map[string]map[string]string{
	"go": {
		"apt":    "sudo apt install golang-go        (too old? take the archive from go.dev/dl)",
		"dnf":    "sudo dnf install golang           (too old? take the archive from go.dev/dl)",
		"pacman": "sudo pacman -S go",
		"zypper": "sudo zypper install go",
		"apk":    "sudo apk add go",
		"brew":   "brew install go",
		"winget": "winget install GoLang.Go",
		"":       "install Go from go.dev/dl",
	},
	"python": {
		"apt":    "sudo apt install python3 python3-venv",
		"dnf":    "sudo dnf install python3.12",
		"pacman": "sudo pacman -S python",
		"zypper": "sudo zypper install python312",
		"apk":    "sudo apk add python3",
		"brew":   "brew install python@3.12",
		"winget": "winget install Python.Python.3.12",
		"":       "install Python 3.10 or newer from python.org",
	},
	"venv": {
		"apt":    "sudo apt install python3-venv",
		"dnf":    "sudo dnf install python3-libs python3-pip",
		"pacman": "sudo pacman -S python",
		"zypper": "sudo zypper install python3-base",
		"apk":    "sudo apk add python3 py3-pip",
		"brew":   "brew reinstall python@3.12",
		"winget": "winget install Python.Python.3.12",
		"":       "install Python's modules venv and ensurepip",
	},
	"chromium": {
		"apt":    "sudo apt install chromium",
		"dnf":    "sudo dnf install chromium",
		"pacman": "sudo pacman -S chromium",
		"zypper": "sudo zypper install chromium",
		"apk":    "sudo apk add chromium",
		"brew":   "brew install --cask chromium",
		"winget": "winget install Hibbiki.Chromium",
		"":       "install Chromium or Chrome",
	},
	"fonts": {
		"apt":    "sudo apt install fonts-liberation",
		"dnf":    "sudo dnf install liberation-fonts",
		"pacman": "sudo pacman -S ttf-liberation",
		"zypper": "sudo zypper install liberation-fonts",
		"apk":    "sudo apk add font-liberation",
		"brew":   "brew install --cask font-liberation",
		"winget": "the fonts of Windows (Arial) serve as well",
		"":       "install the Liberation fonts",
	},
	"poppler": {
		"apt":    "sudo apt install poppler-utils",
		"dnf":    "sudo dnf install poppler-utils",
		"pacman": "sudo pacman -S poppler",
		"zypper": "sudo zypper install poppler-tools",
		"apk":    "sudo apk add poppler-utils",
		"brew":   "brew install poppler",
		"winget": "winget install oschwartz10612.Poppler",
		"":       "install the Poppler utilities",
	},
	"git": {
		"apt":    "sudo apt install git",
		"dnf":    "sudo dnf install git",
		"pacman": "sudo pacman -S git",
		"zypper": "sudo zypper install git",
		"apk":    "sudo apk add git",
		"brew":   "brew install git",
		"winget": "winget install Git.Git",
		"":       "install Git",
	},
}

// Remedy is the command that brings thing to this machine.
func (m Machine) Remedy(thing string) string {
	byInstaller := remedies[thing]
	if command, found := byInstaller[m.installer()]; found {
		return command
	}
	return byInstaller[""]
}
