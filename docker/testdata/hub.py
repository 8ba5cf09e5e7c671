# A hub for the test: no Docker daemon is there, so each user's server is a process in the image's files instead of a container. The settings
# of the server are those of the image. JupyterHub comes from PyPI, its proxy from npm; the test installs both.
import os

from jupyterhub.spawner import SimpleLocalProcessSpawner

c = get_config()  # noqa: F821  JupyterHub defines it

USERS = [f"student{n}" for n in range(int(os.environ["USERS"]))]


class ImageSpawner(SimpleLocalProcessSpawner):
    """Starts a server by the script enter.sh, which changes into the image's files and into a user of the student's own."""

    def make_preexec_fn(self, name):
        return None

    def user_env(self, env):
        number = USERS.index(self.user.name)
        return {**env, "number": str(number), "uid": str(20001 + number)}


c.JupyterHub.authenticator_class = "dummy"
c.Authenticator.allowed_users = set(USERS)
c.JupyterHub.bind_url = "http://127.0.0.1:8000"
c.JupyterHub.hub_bind_url = "http://127.0.0.1:8081"
c.JupyterHub.spawner_class = ImageSpawner
c.JupyterHub.db_url = "sqlite:///hub.sqlite"
c.JupyterHub.concurrent_spawn_limit = len(USERS)
c.ConfigurableHTTPProxy.command = os.environ["PROXY"].split()
c.Spawner.cmd = ["sh", os.environ["ENTER"]]
c.Spawner.args = []
c.Spawner.default_url = "/lab"
c.Spawner.env_keep = ["PATH", "root", "volumes", "tests"]
c.Spawner.start_timeout = 300
c.Spawner.http_timeout = 300
c.JupyterHub.services = [{"name": "test", "api_token": os.environ["HUB_TEST_TOKEN"]}]
c.JupyterHub.load_roles = [{"name": "test", "services": ["test"], "scopes": ["admin:users", "admin:servers", "tokens", "access:servers"]}]
