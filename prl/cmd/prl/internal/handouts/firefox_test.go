package handouts

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"
)

// A firefox is a Firefox without a window, which is told what to do in Marionette's words: a command is [0, number, name, parameters] and
// its answer [1, number, error, result], as JSON with its length before it.
type firefox struct {
	t     *testing.T
	wire  net.Conn
	read  *bufio.Reader
	count int
}

// preferences keep Firefox from asking anyone about anything. Whatever asks the network nevertheless goes to a port on which nobody
// answers.
const preferences = `user_pref("marionette.port", 0);
user_pref("app.update.disabledForTesting", true);
user_pref("browser.aboutwelcome.enabled", false);
user_pref("browser.shell.checkDefaultBrowser", false);
user_pref("browser.startup.homepage_override.mstone", "ignore");
user_pref("datareporting.policy.dataSubmissionEnabled", false);
user_pref("toolkit.telemetry.reportingpolicy.firstRun", false);
user_pref("network.proxy.type", 1);
user_pref("network.proxy.http", "127.0.0.1");
user_pref("network.proxy.http_port", 9);
user_pref("network.proxy.ssl", "127.0.0.1");
user_pref("network.proxy.ssl_port", 9);
user_pref("network.proxy.socks", "127.0.0.1");
user_pref("network.proxy.socks_port", 9);
user_pref("network.proxy.allow_hijacking_localhost", true);
`

// openFirefox starts Firefox with a profile of its own. Without Firefox the test is skipped, in CI it fails.
func openFirefox(t *testing.T) *firefox {
	t.Helper()
	var program string
	for _, name := range []string{"firefox-esr", "firefox"} {
		if path, err := exec.LookPath(name); err == nil {
			program = path
			break
		}
	}
	if program == "" {
		const why = "pages in Firefox: it is not installed (Debian: apt install firefox-esr)"
		if os.Getenv("CI") != "" {
			t.Fatal(why)
		}
		t.Skip(why)
	}
	home := t.TempDir()
	profile := filepath.Join(home, "profile")
	if err := errors.Join(os.Mkdir(profile, 0o700), os.WriteFile(filepath.Join(profile, "user.js"), []byte(preferences), 0o600)); err != nil {
		t.Fatal(err)
	}
	log, err := os.Create(filepath.Join(home, "log"))
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(program, "--headless", "--no-remote", "--profile", profile, "--marionette", "--remote-allow-system-access")
	cmd.Env = append(os.Environ(), "HOME="+home, "XDG_CACHE_HOME="+home, "XDG_CONFIG_HOME="+home, "MOZ_HEADLESS=1",
		"MOZ_CRASHREPORTER_DISABLE=1")
	cmd.Stdout, cmd.Stderr = log, log
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	ended := make(chan error, 1)
	go func() { ended <- cmd.Wait() }()
	f := &firefox{t: t}
	t.Cleanup(func() {
		if f.wire != nil {
			f.send("Marionette:Quit", map[string]any{"flags": []string{"eForceQuit"}}) // an answer may not come any more
		}
		select {
		case <-ended:
		case <-time.After(30 * time.Second):
			cmd.Process.Kill()
			<-ended
		}
		if f.wire != nil {
			f.wire.Close()
		}
		log.Close()
	})

	// Firefox writes the port that it has chosen into its profile.
	const patience = 2 * time.Minute
	for end := time.Now().Add(patience); f.wire == nil; time.Sleep(100 * time.Millisecond) {
		if port, err := os.ReadFile(filepath.Join(profile, "MarionetteActivePort")); err == nil && len(port) > 0 {
			f.wire, _ = net.Dial("tcp", "127.0.0.1:"+strings.TrimSpace(string(port)))
		}
		select {
		case err := <-ended:
			ended <- err
			end = time.Time{}
		default:
		}
		if f.wire == nil && time.Now().After(end) {
			said, _ := os.ReadFile(log.Name())
			t.Fatalf("Firefox does not answer:\n%s", said)
		}
	}
	f.read = bufio.NewReader(f.wire)
	if _, err := f.message(); err != nil { // a greeting
		t.Fatal(err)
	}
	f.do("WebDriver:NewSession", map[string]any{}, nil)
	f.do("WebDriver:SetTimeouts", map[string]any{"script": patience.Milliseconds(), "pageLoad": patience.Milliseconds()}, nil)
	f.privileged("Services.io.offline = true; Services.console.reset();", nil)
	return f
}

func (f *firefox) send(name string, params any) error {
	f.count++
	text, err := json.Marshal([]any{0, f.count, name, params})
	if err != nil {
		return err
	}
	f.wire.SetDeadline(time.Now().Add(4 * time.Minute))
	_, err = fmt.Fprintf(f.wire, "%d:%s", len(text), text)
	return err
}

func (f *firefox) message() ([]byte, error) {
	length, err := f.read.ReadString(':')
	if err != nil {
		return nil, err
	}
	n, err := strconv.Atoi(strings.TrimSuffix(length, ":"))
	if err != nil {
		return nil, err
	}
	text := make([]byte, n)
	_, err = io.ReadFull(f.read, text)
	return text, err
}

// do has Firefox carry out a command, and sets result, unless it is nil, to the value of its answer.
func (f *firefox) do(name string, params, result any) {
	f.t.Helper()
	if err := f.send(name, params); err != nil {
		f.t.Fatalf("%s: %v", name, err)
	}
	text, err := f.message()
	if err != nil {
		f.t.Fatalf("%s: %v", name, err)
	}
	var answer [4]json.RawMessage
	if err := json.Unmarshal(text, &answer); err != nil {
		f.t.Fatalf("%s: %v in %.200s", name, err, text)
	}
	if string(answer[2]) != "null" {
		f.t.Fatalf("%s: %.600s", name, answer[2])
	}
	if result == nil {
		return
	}
	if err := json.Unmarshal(answer[3], &struct{ Value any }{result}); err != nil {
		f.t.Fatalf("%s: %v in %.200s", name, err, answer[3])
	}
}

// script runs the body of a function in the page, and sets result to what it returns.
func (f *firefox) script(body string, result any) {
	f.t.Helper()
	f.do("WebDriver:ExecuteScript", map[string]any{"script": body, "args": []any{}}, result)
}

// privileged runs it in Firefox itself.
func (f *firefox) privileged(body string, result any) {
	f.t.Helper()
	f.do("Marionette:SetContext", map[string]any{"value": "chrome"}, nil)
	f.script(body, result)
	f.do("Marionette:SetContext", map[string]any{"value": "content"}, nil)
}

// open shows a file in a window of the given size, on a screen that is dark or light.
func (f *firefox) open(file string, dark bool, width, height int) {
	f.t.Helper()
	f.privileged(fmt.Sprintf(`Services.prefs.setIntPref("layout.css.prefers-color-scheme.content-override", %v ? 0 : 1)`, dark), nil)
	f.do("WebDriver:SetWindowRect", map[string]any{"width": width, "height": height}, nil)
	f.do("WebDriver:Navigate", map[string]any{"url": (&url.URL{Scheme: "file", Path: file}).String()}, nil)
}

// until waits for a condition of the page.
func (f *firefox) until(condition string) {
	f.t.Helper()
	for end := time.Now().Add(2 * time.Minute); ; time.Sleep(20 * time.Millisecond) {
		var yes bool
		if f.script("return !!("+condition+")", &yes); yes {
			return
		}
		if time.Now().After(end) {
			f.quiet()
			f.t.Fatalf("never came true: %s", condition)
		}
	}
}

// act sends what a hand does at one device: a list of actions in the words of WebDriver.
func (f *firefox) act(device map[string]any, actions ...map[string]any) {
	f.t.Helper()
	device["actions"] = actions
	f.do("WebDriver:PerformActions", map[string]any{"actions": []any{device}}, nil)
}

// drag presses a pointer, "mouse" or "touch", at one place of the window, moves it to another on the way of the steps, and lets it go.
func (f *firefox) drag(pointer string, from, to [2]float64, steps int) {
	f.t.Helper()
	move := func(share float64, took int) map[string]any {
		x, y := from[0]+share*(to[0]-from[0]), from[1]+share*(to[1]-from[1])
		return map[string]any{"type": "pointerMove", "duration": took, "x": int(x + 0.5), "y": int(y + 0.5)}
	}
	button := func(kind string) map[string]any { return map[string]any{"type": kind, "button": 0} }
	actions := []map[string]any{move(0, 0), button("pointerDown")}
	for k := range steps {
		actions = append(actions, move(float64(k+1)/float64(steps), 20))
	}
	f.act(map[string]any{"type": "pointer", "id": pointer, "parameters": map[string]any{"pointerType": pointer}},
		append(actions, button("pointerUp"))...)
}

// press presses and releases keys.
func (f *firefox) press(keys string) {
	f.t.Helper()
	var actions []map[string]any
	for _, key := range keys {
		actions = append(actions, map[string]any{"type": "keyDown", "value": string(key)}, map[string]any{"type": "keyUp", "value": string(key)})
	}
	f.act(map[string]any{"type": "key", "id": "keys"}, actions...)
}

// quiet fails the test if a page has reported an error, or asked a network.
func (f *firefox) quiet() {
	f.t.Helper()
	var wrong []string
	f.privileged(`return [
		...Services.console.getMessageArray().filter((m) => m instanceof Ci.nsIScriptError && !(m.flags & Ci.nsIScriptError.warningFlag) &&
			/^(file|blob|data):/.test(m.sourceName)).map((m) => m.errorMessage),
		...Cc["@mozilla.org/consoleAPI-storage;1"].getService(Ci.nsIConsoleAPIStorage).getEvents().filter((e) => e.level === "error" &&
			/^(file|blob|data):/.test(e.filename)).map((e) => "console: " + [...e.arguments].join(" ")),
	]`, &wrong)
	if len(wrong) > 0 {
		f.t.Errorf("the page reported %q", wrong)
	}
	var asked []string
	f.script(`return performance.getEntriesByType("resource").map((e) => e.name).filter((name) => !/^(file|blob|data):/.test(name))`, &asked)
	if len(asked) > 0 {
		f.t.Errorf("the page asked for %q", asked)
	}
}

// The live figure of a page computes in Firefox too, from a file and with the network off: by mouse, by touch, by key and by a link, on a
// light and on a dark screen.
func TestLivePageInFirefox(t *testing.T) {
	f := openFirefox(t)
	l, _ := lab(t)
	out := t.TempDir()
	o := Options{HTML: true, Versions: []Version{Plain}, Out: out, Course: DefaultCourse(), Timeout: time.Hour}
	if err := Build(t.Context(), l, []string{writeAlive(t)}, o); err != nil {
		t.Fatal(err)
	}
	const subtitle = `document.querySelector(".prl-subtitle").textContent`
	lightness := map[bool]float64{}
	for _, dark := range []bool{false, true} {
		f.open(filepath.Join(out, "50-alive.html"), dark, 1000, 900)
		f.until(`document.querySelector(".prl-moves")`)
		f.script(`const root = document.documentElement;
			root.dataset.inputs = 0;
			document.addEventListener("input", (e) => { if (e.isTrusted) root.dataset.inputs++; }, true);
			document.querySelector(".prl-inputs").scrollIntoView({block: "center"});`, nil)
		place := func() (box struct{ Left, Right, Y float64 }) {
			f.script(`const b = document.querySelector(".prl-inputs .prl-range").getBoundingClientRect();
				return {left: b.left, right: b.right, y: (b.top + b.bottom) / 2}`, &box)
			return box
		}
		box := place()
		middle := [2]float64{(box.Left + box.Right) / 2, box.Y}
		f.drag("mouse", middle, [2]float64{box.Right + 20, box.Y}, 8)
		f.until(subtitle + ` === "β = 2.0"`)
		f.until(`document.querySelector(".prl-live-now").textContent.includes("2 ≥ 0")`)
		var steps int
		if f.script("return +document.documentElement.dataset.inputs", &steps); steps < 3 {
			t.Errorf("a drag across half the slider was %d inputs of the reader, want several", steps)
		}
		f.press("\ue012") // arrow left
		f.until(subtitle + ` === "β = 1.9"`)
		box = place()
		f.drag("touch", [2]float64{box.Right - 10, box.Y}, [2]float64{box.Left - 20, box.Y}, 8)
		f.until(subtitle + ` === "β = 0.0"`)
		f.script(`[...document.querySelectorAll("a")].find((a) => a.textContent === "steeper").click()`, nil)
		f.until(subtitle + ` === "β = 1.5"`)
		f.quiet()
		var light float64
		f.script(`const c = getComputedStyle(document.body).backgroundColor.match(/[\d.]+/g).slice(0, 3).map(Number);
			return (c[0] + c[1] + c[2]) / 765`, &light)
		lightness[dark] = light
	}
	if lightness[false] < 0.9 || lightness[true] > 0.3 {
		t.Errorf("the page is %.2f light on a light screen and %.2f on a dark one", lightness[false], lightness[true])
	}
}
