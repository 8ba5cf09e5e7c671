package setup

import (
	_ "embed"
	"encoding/json"
	"os"
	"strings"

	"github.com/prlab/prlab/plotting"
	"github.com/prlab/prlab/plotting/echartsx"
)

// The extension of JupyterLab and Notebook that makes figures live in every page. It stands in the virtual environment, where both find it.

//go:embed labextension/extension.js
var extension string

// extensionFiles are the files of the extension, by their path in its folder. Scripts carry a fingerprint in their names, or a browser
// would keep an old one.
func extensionFiles() map[string]string {
	figures, charts := script(plotting.RuntimeHTML()), script(echartsx.RuntimeHTML())
	figuresName, chartsName := "figures."+fingerprint(figures)+".js", "charts."+fingerprint(charts)+".js"
	text := strings.NewReplacer("'FIGURES'", "'"+figuresName+"'", "'CHARTS'", "'"+chartsName+"'").Replace(extension)
	load := "static/extension." + fingerprint(text) + ".js"
	about, _ := json.MarshalIndent(map[string]any{ // strings alone
		"name": "@prlab/lab", "version": "1.0.0", "description": "Live figures of the Pattern Recognition Lab", "license": "Apache-2.0",
		"jupyterlab": map[string]any{"extension": true, "outputDir": ".", "_build": map[string]any{"load": load, "extension": "./extension"}},
	}, "", "  ")
	return map[string]string{
		"package.json":          string(about) + "\n",
		load:                    text,
		"static/" + figuresName: figures,
		"static/" + chartsName:  charts,
		"static/LICENSES.txt":   plotting.RuntimeNotices(),
	}
}

// script is the text of a script element.
func script(element string) string {
	_, text, _ := strings.Cut(element, ">")
	return strings.TrimSuffix(strings.TrimSpace(text), "</script>")
}

func extensionID() string {
	return fingerprint(extension, plotting.RuntimeHTML(), echartsx.RuntimeHTML(), plotting.RuntimeNotices())
}

func (l *Lab) extensionDir(names ...string) string {
	return l.State(append([]string{"python", "share", "jupyter", "labextensions", "@prlab", "lab"}, names...)...)
}

func (l *Lab) writeExtension() error {
	if err := os.RemoveAll(l.extensionDir()); err != nil { // scripts of an earlier version
		return err
	}
	for name, text := range extensionFiles() {
		if err := writeFile(l.extensionDir(name), []byte(text), 0o644); err != nil {
			return err
		}
	}
	return nil
}
