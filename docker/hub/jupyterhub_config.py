# A class on one machine: JupyterHub, in the container that compose.yaml beside it makes, starts a container of the lab's image for each student, by
# DockerSpawner. What must outlive the container stands in /srv/jupyterhub, a volume: the database with the accounts, the cookie secret, the
# certificates, and the first passwords of administrators.
#
# Variables: PRL_ADMINS (names of administrators, separated by spaces; needed), PRL_IMAGE (prlab:class), PRL_MEMORY (1500M), PRL_CPUS (1),
# PRL_COURSE (a folder of the teacher's, shown read-only to all as notebooks/course), PRL_IDLE (seconds until an idle lab is stopped, 3600),
# PRL_TLS_KEY and PRL_TLS_CERT (files, for a hub that others reach without a server with a certificate before it), PRL_ROSTER (a file with the names
# of the class, one a line or in the first column of a table: nobody else comes in), PRL_LOGIN (who knows the names and passwords):
#
#   native   the hub itself (this is meant when nothing is said): students sign up, and an administrator lets them in
#   oauth    the institution, by OAuth 2 or OpenID Connect: PRL_URL (the hub's own address for browsers), PRL_OAUTH_CLIENT,
#            PRL_OAUTH_SECRET (a file), PRL_OAUTH_AUTHORIZE, PRL_OAUTH_TOKEN and PRL_OAUTH_USER (addresses), PRL_OAUTH_NAME (the claim with the
#            name, preferred_username), PRL_OAUTH_SCOPE (openid profile)
#   lti      a learning platform, by LTI 1.3: PRL_LTI_ISSUER, PRL_LTI_CLIENT, PRL_LTI_AUTHORIZE and PRL_LTI_KEYS (addresses), PRL_LTI_NAME (the
#            claim with the name, sub; take none that its owner can change). The platform is told PRL_URL with /hub/lti13/oauth_login (login) and
#            /hub/lti13/oauth_callback (launch)
import csv
import os
import secrets
import sys
import unicodedata
from pathlib import Path

import bcrypt
from nativeauthenticator import NativeAuthenticator
from nativeauthenticator.orm import UserInfo

c = get_config()  # noqa: F821  JupyterHub defines it

DATA = Path(os.environ.get("PRL_HUB_DATA", "/srv/jupyterhub"))
# The hub's name on the network of the students, on which alone it listens to them. The network has no way out.
HUB = os.environ.get("PRL_HUB_HOST", "classhub")
NETWORK = "prlab-students"


class ClassAuthenticator(NativeAuthenticator):
    """Students sign up with a name and a password of their own, and an administrator lets them in. Administrators are those whom the teacher names.

    Nobody becomes one by signing up: their accounts are made here, before the hub answers anybody, with a first password that only who can read
    the hub's files learns. A name under which somebody has signed up already is refused. With
    a roster nobody else can sign up.
    """

    def __init__(self, *args, **kwargs):
        super().__init__(*args, **kwargs)
        if not self.admin_users:
            raise SystemExit("hub: PRL_ADMINS names nobody, so nobody could let students in; set it, such as PRL_ADMINS=prof")
        made = DATA / "administrators"
        known = set(made.read_text().split()) if made.exists() else set()
        for name in sorted(map(self.normalize_username, self.admin_users)):
            if name in known and self.user_exists(name):
                continue
            if self.user_exists(name):
                raise SystemExit(f"hub: PRL_ADMINS names {name}, but somebody has signed up under that name; choose another name for the administrator")
            password = secrets.token_urlsafe(15)
            file = DATA / f"first-password-{name}"
            file.touch(mode=0o600)
            file.write_text(password + "\n")
            self.db.add(UserInfo(username=name, password=bcrypt.hashpw(password.encode(), bcrypt.gensalt()), is_authorized=True))
            self.db.commit()
            known.add(name)
            made.write_text("\n".join(sorted(known)) + "\n")
            self.log.warning("The first password of the administrator %s stands in %s; change it at /hub/change-password and remove the file.", name, file)

    def create_user(self, username, password, **kwargs):
        name = self.normalize_username(username)
        if name in set(map(self.normalize_username, self.admin_users)) or self.allowed_users and name not in self.allowed_users:
            return None
        return super().create_user(username, password, **kwargs)

    def get_authed_users(self):
        """Nobody is let in by a name alone: whoever signs up first under one of the roster need not be its owner."""
        return set()


def roster(path):
    """The names in a file, one a line or in the first column of a table; a heading and comments (#) are left out."""
    names = []
    text = Path(path).read_text(encoding="utf-8-sig")
    first = text.partition("\n")[0]
    separator = ";" if first.count(";") > first.count(",") else ","
    lines = [line for line in text.splitlines() if not line.lstrip().startswith("#")]
    try:
        table = [row for row in csv.reader(lines, delimiter=separator, skipinitialspace=True, strict=True) if row]
    except csv.Error as wrong:
        raise SystemExit(f"hub: the roster {path} is no table: {wrong}")
    for number, row in enumerate(table):
        name = unicodedata.normalize("NFC", row[0]).split("#")[0].strip().lower()
        if name and not (number == 0 and name in ("name", "student", "username")):
            names.append(name)
    if not names:
        raise SystemExit(f"hub: the roster {path} names nobody")
    return set(names)


def needed(name):
    if not os.environ.get(name):
        raise SystemExit(f"hub: PRL_LOGIN={LOGIN} needs {name}; what it means stands at the head of jupyterhub_config.py")
    return os.environ[name]


os.umask(0o077)
LOGIN = os.environ.get("PRL_LOGIN") or "native"
c.Authenticator.admin_users = {name.lower() for name in os.environ.get("PRL_ADMINS", "").split()}
if os.environ.get("PRL_ROSTER"):
    c.Authenticator.allowed_users = roster(os.environ["PRL_ROSTER"])
    c.Authenticator.allow_existing_users = False  # who is taken off the roster does not come in any more
else:
    c.Authenticator.allow_all = True  # all whom an administrator has let in, or whom the institution sends
if LOGIN == "native":
    c.JupyterHub.authenticator_class = ClassAuthenticator
    c.NativeAuthenticator.open_signup = False
    c.NativeAuthenticator.minimum_password_length = 10
    c.NativeAuthenticator.check_common_password = True
    c.NativeAuthenticator.allowed_failed_logins = 10
elif LOGIN == "oauth":
    c.JupyterHub.authenticator_class = "oauthenticator.generic.GenericOAuthenticator"
    c.GenericOAuthenticator.login_service = "your institution"
    c.GenericOAuthenticator.oauth_callback_url = needed("PRL_URL").rstrip("/") + "/hub/oauth_callback"
    c.GenericOAuthenticator.client_id = needed("PRL_OAUTH_CLIENT")
    c.GenericOAuthenticator.client_secret = Path(needed("PRL_OAUTH_SECRET")).read_text().strip()
    c.GenericOAuthenticator.authorize_url = needed("PRL_OAUTH_AUTHORIZE")
    c.GenericOAuthenticator.token_url = needed("PRL_OAUTH_TOKEN")
    c.GenericOAuthenticator.userdata_url = needed("PRL_OAUTH_USER")
    c.GenericOAuthenticator.username_claim = os.environ.get("PRL_OAUTH_NAME") or "preferred_username"
    c.GenericOAuthenticator.scope = (os.environ.get("PRL_OAUTH_SCOPE") or "openid profile").split()
elif LOGIN == "lti":
    c.JupyterHub.authenticator_class = "ltiauthenticator.lti13.auth.LTI13Authenticator"
    c.LTI13Authenticator.issuer = needed("PRL_LTI_ISSUER")
    c.LTI13Authenticator.client_id = {needed("PRL_LTI_CLIENT")}
    c.LTI13Authenticator.authorize_url = needed("PRL_LTI_AUTHORIZE")
    c.LTI13Authenticator.jwks_endpoint = needed("PRL_LTI_KEYS")
    c.LTI13Authenticator.username_key = os.environ.get("PRL_LTI_NAME") or "sub"
    c.LTI13Authenticator.uri_scheme = needed("PRL_URL").split(":")[0]
else:
    raise SystemExit(f"hub: PRL_LOGIN={LOGIN} is none of native, oauth and lti")

c.JupyterHub.db_url = f"sqlite:///{DATA / 'hub.sqlite'}"
c.JupyterHub.cookie_secret_file = str(DATA / "cookie_secret")
c.ConfigurableHTTPProxy.pid_file = str(DATA / "proxy.pid")

# Where it listens: port 8000 is for browsers, and compose.yaml publishes it on this machine only. Hub, proxy and labs speak to each other by TLS
# with certificates of their own, and each refuses whoever has none.
c.JupyterHub.bind_url = os.environ.get("PRL_HUB_BIND", "http://0.0.0.0:8000")
if os.environ.get("PRL_TLS_KEY"):
    c.JupyterHub.ssl_key, c.JupyterHub.ssl_cert = os.environ["PRL_TLS_KEY"], os.environ["PRL_TLS_CERT"]
    c.JupyterHub.bind_url = c.JupyterHub.bind_url.replace("http://", "https://", 1)
c.JupyterHub.hub_bind_url = f"https://{HUB}:8081"
c.JupyterHub.internal_ssl = True
c.JupyterHub.internal_certs_location = str(DATA / "certificates")
c.JupyterHub.trusted_alt_names = [f"DNS:{HUB}"]

# What a student gets: a container without rights and without a way out, with the notebooks and the home in two volumes that outlive it.
c.JupyterHub.spawner_class = "docker"
c.DockerSpawner.image = os.environ.get("PRL_IMAGE", "prlab:class")
c.DockerSpawner.pull_policy = "never"
c.DockerSpawner.move_certs_image = "prlab:hub"  # ends at once when it is started without settings
c.DockerSpawner.cmd = ["jupyterhub-singleuser"]
c.DockerSpawner.network_name = NETWORK
c.DockerSpawner.use_internal_ip = True
c.DockerSpawner.remove = True
c.DockerSpawner.notebook_dir = "/lab/notebooks"
c.DockerSpawner.volumes = {"prlab-{username}": "/lab/notebooks", "prlab-home-{username}": "/home/prl"}
if os.environ.get("PRL_COURSE"):
    c.DockerSpawner.read_only_volumes = {os.environ["PRL_COURSE"]: "/lab/notebooks/course"}
c.DockerSpawner.extra_create_kwargs = {"user": "1000:1000"}
c.DockerSpawner.extra_host_config = {
    "cap_drop": ["ALL"],
    "security_opt": ["no-new-privileges:true"],
    "read_only": True,
    "tmpfs": {"/tmp": "exec,mode=1777,size=512m"},
    "pids_limit": 512,
}
c.DockerSpawner.mem_limit = os.environ.get("PRL_MEMORY", "1500M")
c.DockerSpawner.cpu_limit = float(os.environ.get("PRL_CPUS", "1"))
c.Spawner.start_timeout = 120
c.Spawner.http_timeout = 60
c.JupyterHub.concurrent_spawn_limit = 10

# Labs that nobody uses are stopped. The notebooks stay; a running cell counts as use.
c.JupyterHub.services = [
    {
        "name": "idle-culler",
        "command": [
            sys.executable, "-m", "jupyterhub_idle_culler", "--timeout=" + os.environ.get("PRL_IDLE", "3600"), "--cull-every=300",
            "--ssl-enabled=true", f"--internal-certs-location={DATA / 'certificates'}",
        ],
    }
]
c.JupyterHub.load_roles = [
    {
        "name": "idle-culler",
        "scopes": ["list:users", "read:users:activity", "read:servers", "delete:servers"],
        "services": ["idle-culler"],
    }
]
