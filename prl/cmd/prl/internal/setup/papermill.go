package setup

import (
	_ "embed"
	"os"
	"path/filepath"
)

// papermill, if somebody installs it into the lab's Python, finds how parameters are written in Go by an entry point, as it finds engines.

//go:embed papermill/prl_papermill.py
var papermillGo string

// papermillFiles are the files of a Python package, by their path in the folder of packages.
func papermillFiles() map[string]string {
	const about = "prl_papermill-1.0.0.dist-info/"
	return map[string]string{
		"prl_papermill.py": papermillGo,
		about + "METADATA": "Metadata-Version: 2.1\nName: prl-papermill\nVersion: 1.0.0\nSummary: Parameters of notebooks in Go, for " +
			"papermill\n",
		about + "entry_points.txt": "[papermill.engine]\ngonb = prl_papermill:Engine\n",
		about + "INSTALLER":        "prl\n",
		about + "RECORD": "prl_papermill.py,,\n" + about + "METADATA,,\n" + about + "entry_points.txt,,\n" + about + "INSTALLER,,\n" +
			about + "RECORD,,\n",
	}
}

func papermillID() string { return fingerprint(papermillGo) }

func (l *Lab) writePapermill() error {
	return l.writePackages(papermillFiles())
}

// writePackages writes files into the folder of packages of the lab's Python.
func (l *Lab) writePackages(files map[string]string) error {
	folders, err := filepath.Glob(l.State("python", "lib", "python3*", "site-packages"))
	if err != nil {
		return err
	}
	if windows := l.State("python", "Lib", "site-packages"); len(folders) == 0 {
		folders = []string{windows}
	}
	for _, folder := range folders {
		if _, err := os.Stat(folder); err != nil {
			return err
		}
		for name, text := range files {
			if err := writeFile(filepath.Join(folder, filepath.FromSlash(name)), []byte(text), 0o644); err != nil {
				return err
			}
		}
	}
	return nil
}
