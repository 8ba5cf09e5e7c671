//go:build image && linux

package docker

import (
	"crypto"
	"crypto/rand"
	"crypto/rsa"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"math/big"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"
)

// roster is a file with the names of a class.
func roster(t *testing.T) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "class.csv")
	if err := os.WriteFile(path, []byte("student;mail\nAda;ada@example.org\nalan;\n# left: kurt\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	return path
}

// inside reports whether a person's browser is signed in at the hub, and whether as an administrator.
func (p *person) inside() (in, admin bool) {
	p.t.Helper()
	token, _ := p.do("/hub/token", nil)
	administration, _ := p.do("/hub/admin", nil)
	return token == http.StatusOK && len(p.cookies()) > 0, administration == http.StatusOK && len(p.cookies()) > 0
}

// wants compares who comes in with who should.
func wants(t *testing.T, h *runningHub, enter func(p *person, name string)) {
	t.Helper()
	for name, want := range map[string]struct{ in, admin bool }{
		"ada": {true, false}, "alan": {true, false}, "prof": {true, true}, "kurt": {},
		"mallory": {},
	} {
		p := h.person(t)
		enter(p, name)
		if in, admin := p.inside(); in != want.in || admin != want.admin {
			t.Errorf("%s is in: %v, an administrator: %v, want %v", name, in, admin, want)
		}
	}
	if t.Failed() {
		text := h.log.text()
		t.Log(text[max(0, len(text)-4000):])
	}
}

// TestRoster lets those sign up whom the roster names, and nobody else.
func TestRoster(t *testing.T) {
	data := t.TempDir()
	h := startHub(t, data, "PRL_ADMINS=prof", "PRL_ROSTER="+roster(t))
	const chosen = "a password of the person"
	for _, name := range []string{"ada", "alan", "kurt", "mallory"} {
		h.person(t).do("/hub/signup", url.Values{"username": {name}, "signup_password": {chosen}, "signup_password_confirmation": {chosen}})
	}
	first, err := os.ReadFile(filepath.Join(data, "first-password-prof"))
	if err != nil {
		t.Fatalf("%v\n%s", err, h.log.text())
	}
	early := h.person(t)
	early.login("ada", chosen)
	if in, _ := early.inside(); in {
		t.Error("a student who signs up under a name of the roster is in before anybody has let them in")
	}
	prof := h.person(t)
	prof.login("prof", strings.TrimSpace(string(first)))
	for _, name := range []string{"ada", "alan", "kurt", "mallory"} {
		prof.do("/hub/authorize/"+name, nil)
	}
	wants(t, h, func(p *person, name string) {
		password := chosen
		if name == "prof" {
			password = strings.TrimSpace(string(first))
		}
		p.login(name, password)
	})
}

// TestOAuth signs people in at a provider that the test plays: it says who somebody is, and the hub who may come in.
func TestOAuth(t *testing.T) {
	who := ""
	provider := http.NewServeMux()
	provider.HandleFunc("/authorize", func(w http.ResponseWriter, r *http.Request) {
		q := r.URL.Query()
		if q.Get("client_id") != "the-hub" || q.Get("code_challenge") == "" {
			t.Errorf("the hub asks for %s", r.URL)
		}
		http.Redirect(w, r, q.Get("redirect_uri")+"?code=one&state="+url.QueryEscape(q.Get("state")), http.StatusFound)
	})
	answer := func(w http.ResponseWriter, value any) {
		w.Header().Set("Content-Type", "application/json")
		json.NewEncoder(w).Encode(value)
	}
	provider.HandleFunc("/token", func(w http.ResponseWriter, r *http.Request) {
		if r.FormValue("code") != "one" || r.FormValue("client_secret") != "the-secret" {
			t.Errorf("the hub shows code %q and secret %q", r.FormValue("code"), r.FormValue("client_secret"))
		}
		answer(w, map[string]any{"access_token": "token", "token_type": "Bearer"})
	})
	provider.HandleFunc("/user", func(w http.ResponseWriter, r *http.Request) { answer(w, map[string]any{"preferred_username": who}) })
	server := httptest.NewServer(provider)
	defer server.Close()
	secret := filepath.Join(t.TempDir(), "secret")
	if err := os.WriteFile(secret, []byte("the-secret\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	h := startHub(t, t.TempDir(), "PRL_ADMINS=Prof", "PRL_ROSTER="+roster(t), "PRL_LOGIN=oauth", "PRL_URL=own", "PRL_OAUTH_CLIENT=the-hub",
		"PRL_OAUTH_SECRET="+secret, "PRL_OAUTH_AUTHORIZE="+server.URL+"/authorize", "PRL_OAUTH_TOKEN="+server.URL+"/token",
		"PRL_OAUTH_USER="+server.URL+"/user")
	wants(t, h, func(p *person, name string) {
		who = name
		p.do("/hub/oauth_login", nil)
	})
}

// TestLTI launches the hub from a learning platform that the test plays: the person's browser carries a token that the platform has signed.
func TestLTI(t *testing.T) {
	key, err := rsa.GenerateKey(rand.Reader, 2048)
	if err != nil {
		t.Fatal(err)
	}
	base := base64.RawURLEncoding
	platform := http.NewServeMux()
	platform.HandleFunc("/keys", func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		json.NewEncoder(w).Encode(map[string]any{"keys": []any{map[string]any{
			"kty": "RSA", "alg": "RS256", "use": "sig", "kid": "one",
			"n": base.EncodeToString(key.N.Bytes()), "e": base.EncodeToString(big.NewInt(int64(key.E)).Bytes()),
		}}})
	})
	// The browser is sent here, and the test answers in its stead.
	platform.HandleFunc("/authorize", func(w http.ResponseWriter, r *http.Request) { fmt.Fprint(w, r.URL.RawQuery) })
	server := httptest.NewServer(platform)
	defer server.Close()
	h := startHub(t, t.TempDir(), "PRL_ADMINS=prof", "PRL_ROSTER="+roster(t), "PRL_LOGIN=lti", "PRL_URL=own", "PRL_LTI_ISSUER="+server.URL,
		"PRL_LTI_CLIENT=the-hub", "PRL_LTI_AUTHORIZE="+server.URL+"/authorize", "PRL_LTI_KEYS="+server.URL+"/keys")
	launch := func(p *person, name string, signer *rsa.PrivateKey) {
		_, page := p.do("/hub/lti13/oauth_login?"+url.Values{
			"iss": {server.URL}, "login_hint": {name}, "target_link_uri": {h.address + "/hub/spawn"}, "client_id": {"the-hub"},
			"lti_message_hint": {"1"},
		}.Encode(), nil)
		asked, err := url.ParseQuery(page)
		if err != nil || asked.Get("nonce") == "" {
			t.Fatalf("the hub sends the browser with %q", page)
		}
		const claim = "https://purl.imsglobal.org/spec/lti/claim/"
		payload, err := json.Marshal(map[string]any{
			"iss": server.URL, "aud": "the-hub", "sub": name, "nonce": asked.Get("nonce"), "iat": time.Now().Unix(),
			"exp":                  time.Now().Add(time.Minute).Unix(),
			claim + "message_type": "LtiResourceLinkRequest", claim + "version": "1.3.0", claim + "deployment_id": "1",
			claim + "target_link_uri": h.address + "/hub/spawn", claim + "resource_link": map[string]any{"id": "1"},
			claim + "roles": []string{"http://purl.imsglobal.org/vocab/lis/v2/membership#Instructor"},
		})
		if err != nil {
			t.Fatal(err)
		}
		text := base.EncodeToString([]byte(`{"alg":"RS256","typ":"JWT","kid":"one"}`)) + "." + base.EncodeToString(payload)
		digest := sha256.Sum256([]byte(text))
		signature, err := rsa.SignPKCS1v15(rand.Reader, signer, crypto.SHA256, digest[:])
		if err != nil {
			t.Fatal(err)
		}
		answer, err := p.PostForm(h.address+"/hub/lti13/oauth_callback", url.Values{
			"id_token": {text + "." + base.EncodeToString(signature)},
			"state":    {asked.Get("state")},
		})
		if err != nil {
			t.Fatal(err)
		}
		answer.Body.Close()
	}
	wants(t, h, func(p *person, name string) { launch(p, name, key) })
	stranger, err := rsa.GenerateKey(rand.Reader, 2048)
	if err != nil {
		t.Fatal(err)
	}
	p := h.person(t)
	launch(p, "prof", stranger)
	if in, _ := p.inside(); in {
		t.Error("a token that somebody else has signed lets its bearer in")
	}
}

// TestLoginRefusals wants a hub with half a configuration to say what is missing.
func TestLoginRefusals(t *testing.T) {
	empty := filepath.Join(t.TempDir(), "empty")
	if err := os.WriteFile(empty, []byte("name\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	for want, env := range map[string][]string{
		"PRL_LOGIN=oauth needs PRL_OAUTH_CLIENT":  {"PRL_LOGIN=oauth", "PRL_URL=own"},
		"PRL_LOGIN=lti needs PRL_LTI_ISSUER":      {"PRL_LOGIN=lti", "PRL_URL=own"},
		"PRL_LOGIN=ldap is none of native, oauth": {"PRL_LOGIN=ldap"},
		"names nobody": {"PRL_ROSTER=" + empty},
	} {
		h := startHub(t, t.TempDir(), append([]string{"PRL_ADMINS=prof"}, env...)...)
		if said := regexp.MustCompile(`\s+`).ReplaceAllString(h.log.text(), " "); h.ProcessState == nil || !strings.Contains(said, want) {
			t.Errorf("%v: %s", env, said)
		}
	}
}
