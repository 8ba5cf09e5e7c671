# A class on one machine: JupyterHub starts a container of the lab's image for each student, by DockerSpawner.
#
#   docker network create prlab
#   docker build -f docker/Dockerfile -t prlab:lab .
#   pip install --no-deps --require-hashes -r docker/hub/requirements.txt && npm install -g configurable-http-proxy
#   jupyterhub -f docker/hub/jupyterhub_config.py
#
# Variables: PRL_IMAGE (prlab:lab), PRL_NETWORK (prlab), PRL_MEMORY (1500M), PRL_CPUS (1), PRL_COURSE (a folder of the teacher's, shown read-only
# to all as notebooks/course), PRL_ADMINS (names, separated by spaces), PRL_IDLE (seconds until an idle lab is stopped, 3600).
import os
import sys

c = get_config()  # noqa: F821  JupyterHub defines it

# Who may come: everybody signs up with a name and a password of their own, and an administrator lets them in.
c.JupyterHub.authenticator_class = "native"
c.NativeAuthenticator.open_signup = False
c.NativeAuthenticator.minimum_password_length = 10
c.Authenticator.allow_all = True  # all whom an administrator has let in
c.Authenticator.admin_users = set(os.environ.get("PRL_ADMINS", "").split())

# Where it listens: on this machine. Put a server with a certificate in front of it before others come.
c.JupyterHub.bind_url = "http://127.0.0.1:8000"
c.JupyterHub.hub_bind_url = "http://0.0.0.0:8081"
c.JupyterHub.hub_connect_ip = os.environ.get("PRL_HUB_ADDRESS", "host.docker.internal")

# What a student gets: a container without rights, with the notebooks and the home in two volumes that outlive it.
c.JupyterHub.spawner_class = "docker"
c.DockerSpawner.image = os.environ.get("PRL_IMAGE", "prlab:lab")
c.DockerSpawner.cmd = ["jupyterhub-singleuser"]
c.DockerSpawner.network_name = os.environ.get("PRL_NETWORK", "prlab")
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
    "extra_hosts": {"host.docker.internal": "host-gateway"},
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
        "command": [sys.executable, "-m", "jupyterhub_idle_culler", "--timeout=" + os.environ.get("PRL_IDLE", "3600"), "--cull-every=300"],
    }
]
c.JupyterHub.load_roles = [
    {
        "name": "idle-culler",
        "scopes": ["list:users", "read:users:activity", "read:servers", "delete:servers"],
        "services": ["idle-culler"],
    }
]
