# A class on one machine: JupyterHub, in the container that compose.yaml beside it makes, starts a container of the lab's image for each student, by
# DockerSpawner. What must outlive the container stands in /srv/jupyterhub, a volume: the database with the accounts, the cookie secret, the
# certificates, and the first passwords of administrators.
#
# Variables: PRL_ADMINS (names of administrators, separated by spaces; needed), PRL_IMAGE (prlab:class), PRL_MEMORY (1500M), PRL_CPUS (1),
# PRL_COURSE (a folder of the teacher's, shown read-only to all as notebooks/course), PRL_IDLE (seconds until an idle lab is stopped, 3600),
# PRL_TLS_KEY and PRL_TLS_CERT (files, for a hub that others reach without a server with a certificate before it).
import os
import secrets
import sys
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
    the hub's files learns. A name under which somebody has signed up already is refused.
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
        if self.normalize_username(username) in set(map(self.normalize_username, self.admin_users)):
            return None
        return super().create_user(username, password, **kwargs)


os.umask(0o077)
c.JupyterHub.authenticator_class = ClassAuthenticator
c.NativeAuthenticator.open_signup = False
c.NativeAuthenticator.minimum_password_length = 10
c.NativeAuthenticator.check_common_password = True
c.NativeAuthenticator.allowed_failed_logins = 10
c.Authenticator.allow_all = True  # all whom an administrator has let in
c.Authenticator.admin_users = set(os.environ.get("PRL_ADMINS", "").split())

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
