package setup

import "os"

// Chromium finds the browser that prints handouts, or says how to get it. The one that has no window is preferred: it takes half the time.
func (m Machine) Chromium() (string, error) {
	for _, name := range []string{
		"chromium-headless-shell", "chrome-headless-shell", "chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome",
	} {
		if path, err := m.LookPath(name); err == nil {
			return path, nil
		}
	}
	mac := "/Applications/Chromium.app/Contents/MacOS/Chromium"
	if _, err := os.Stat(mac); m.OS == "darwin" && err == nil {
		return mac, nil
	}
	return "", &Need{
		What:   "PDF handouts are printed by Chromium or Chrome, which is not on the PATH; HTML handouts work without it",
		Remedy: m.Remedy("chromium"),
	}
}
