"""Loads a configuration of JupyterHub and prints, as one JSON object, what it would ask of Docker for a student. No daemon is needed."""

import asyncio
import json
import sys

import docker
from dockerspawner import DockerSpawner
from jupyterhub import orm
from jupyterhub.app import JupyterHub
from jupyterhub.auth import Authenticator
from jupyterhub.objects import Hub, Server
from jupyterhub.proxy import ConfigurableHTTPProxy
from jupyterhub.spawner import Spawner
from nativeauthenticator import NativeAuthenticator
from traitlets.config import PyFileConfigLoader

config = PyFileConfigLoader(sys.argv[1]).load_config()
known = {cls.__name__: cls for cls in (JupyterHub, Authenticator, NativeAuthenticator, ConfigurableHTTPProxy, Spawner, DockerSpawner)}
unknown = [f"{section}.{name}" for section, settings in config.items() for name in settings
           if section not in known or not known[section].class_traits(config=True).get(name)]

app = JupyterHub(config=config)
assert app.spawner_class is DockerSpawner, app.spawner_class
assert issubclass(app.authenticator_class, NativeAuthenticator), app.authenticator_class
db = orm.new_session_factory("sqlite://")()
asked = {}


class Recorder(DockerSpawner):
    """Makes the requests to Docker, and records them instead of sending them."""

    client = docker.APIClient(version="1.43")

    async def docker(self, method, *args, **kwargs):
        asked[method] = kwargs
        return {"Id": "0"}

    def get_env(self):
        return {}


user = orm.User(name="student")
db.add(user)
db.commit()
orm_spawner = orm.Spawner(name="", user=user)
db.add(orm_spawner)
db.commit()
hub = Hub(public_host="", base_url="/hub/", ip="0.0.0.0", port=8081, connect_ip=app.hub_connect_ip)


class Person:
    name, escaped_name, url, id, settings, groups, admin = "student", "student", "/user/student/", 1, {}, [], False


config.Recorder.merge(config.DockerSpawner)
spawner = Recorder(config=config, hub=hub, orm_spawner=orm_spawner, user=Person(), authenticator=None, oauth_client_id="x", server=Server(ip="0.0.0.0", port=8888))
asyncio.run(spawner.create_object())
create = asked["create_container"]
print(json.dumps({
    "unknown": unknown,
    "create": {"user": create.get("user"), "image": create.get("image"), "command": create.get("command")},
    "host": create["host_config"],
    "services": [service["name"] for service in app.services],
    "signup": config.NativeAuthenticator.open_signup,
    "tls": app.internal_ssl,
    "network": spawner.network_name,
}))
