package setup

import (
	_ "embed"
	"encoding/json"

	"github.com/prlab/prlab/prl/cmd/prl/internal/goenv"
	"github.com/prlab/prlab/prl/internal/atomicfile"
)

// The lab's settings stand inside the virtual environment, so that they hold for it alone.
var (
	//go:embed overrides.json
	overrides []byte // JupyterLab's own settings: no news, no search for updates or extensions
	//go:embed jupyter_server_config.json
	serverConfig []byte // the server: no request leaves the machine
	//go:embed server/prl_lab.py
	serverPart string // the lab's own part of the server
)

// serverPartOn has the server load the lab's part.
const serverPartOn = `{"ServerApp": {"jpserver_extensions": {"prl_lab": true}}}`

// cachedPrograms is where the programs of live figures are when the lab is sealed: in the cache of the person.
const cachedPrograms = "~/.cache/prl/live"

// Overrides are the lab's settings of JupyterLab, by their plugins.
func Overrides() []byte { return overrides }

func settingsID() string {
	return fingerprint(string(overrides), string(serverConfig), serverPart, serverPartOn, cachedPrograms)
}

func (l *Lab) writeSettings() error {
	if err := writeFile(l.State("python", "share", "jupyter", "lab", "settings", "overrides.json"), overrides, 0o644); err != nil {
		return err
	}
	if err := l.writePackages(map[string]string{"prl_lab.py": serverPart}); err != nil {
		return err
	}
	on := l.State("python", "etc", "jupyter", "jupyter_server_config.d", "prl_lab.json")
	if err := writeFile(on, []byte(serverPartOn+"\n"), 0o644); err != nil {
		return err
	}
	config, err := l.serverSettings()
	if err != nil {
		return err
	}
	return writeFile(l.State("python", "etc", "jupyter", "jupyter_server_config.json"), config, 0o644)
}

// serverSettings are the settings of the server. It serves the programs of live figures beside its own static files, under whatever
// address it has.
func (l *Lab) serverSettings() ([]byte, error) {
	var settings map[string]any
	if err := json.Unmarshal(serverConfig, &settings); err != nil {
		return nil, err
	}
	settings["ServerApp"] = map[string]any{"extra_static_paths": []string{l.State("live"), cachedPrograms}}
	settings["PrlLab"] = map[string]any{"builder": l.Bin(launcher), "chapters": l.Notebooks()}
	return json.MarshalIndent(settings, "", "  ")
}

// JupyterEnv is env with every place where Jupyter writes moved into .prl: the person's own configuration is neither read nor changed.
// In a sealed lab the places are those in the person's home folder.
func (l *Lab) JupyterEnv(env []string) []string {
	if l.Sealed() {
		return PythonEnv(env)
	}
	env = goenv.Without(PythonEnv(env),
		"JUPYTER_CONFIG_DIR", "JUPYTER_CONFIG_PATH", "JUPYTER_DATA_DIR", "JUPYTER_PATH", "JUPYTER_RUNTIME_DIR", "JUPYTER_PREFER_ENV_PATH",
		"JUPYTER_NO_CONFIG", "JUPYTERLAB_*", "IPYTHONDIR")
	place := func(name string) string {
		path := l.State("jupyter", name)
		atomicfile.Folder(path, 0o700)
		return path
	}
	return append(
		env,
		"JUPYTER_CONFIG_DIR="+place("config"),
		"JUPYTER_DATA_DIR="+place("data"),
		"JUPYTER_RUNTIME_DIR="+place("runtime"),
		"JUPYTERLAB_SETTINGS_DIR="+place("settings"),
		"JUPYTERLAB_WORKSPACES_DIR="+place("workspaces"),
		"IPYTHONDIR="+place("ipython"),
		"JUPYTER_PLATFORM_DIRS=1",
	)
}
