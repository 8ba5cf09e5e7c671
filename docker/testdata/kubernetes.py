"""Reads the values for Zero to JupyterHub and prints, as one JSON object, the settings that no class of JupyterHub knows, and the claims that the
values name and kubernetes.yaml makes."""

import json
import sys

import yaml
from jupyterhub.app import JupyterHub
from jupyterhub.auth import Authenticator
from ltiauthenticator.lti13.auth import LTI13Authenticator
from oauthenticator.generic import GenericOAuthenticator

values = yaml.safe_load(open(sys.argv[1]))
made = list(yaml.safe_load_all(open(sys.argv[2])))
known = {cls.__name__: cls for cls in (JupyterHub, Authenticator, GenericOAuthenticator, LTI13Authenticator)}
config = values["hub"]["config"]
unknown = [f"{section}.{name}" for section, settings in config.items() if section != "KubeSpawner" for name in settings
           if section not in known or not known[section].class_traits(config=True).get(name)]
volumes = values["singleuser"]["storage"]["extraVolumes"]
print(json.dumps({
    "unknown": unknown,
    "named": [v["persistentVolumeClaim"]["claimName"] for v in volumes if "persistentVolumeClaim" in v],
    "made": [m["metadata"]["name"] for m in made if m["kind"] == "PersistentVolumeClaim"],
    "kinds": [m["kind"] for m in made],
    "authenticator": config["JupyterHub"]["authenticator_class"],
    "admins": config["Authenticator"]["admin_users"],
    "roster": config["Authenticator"]["allowed_users"],
    "open": config["Authenticator"].get("allow_all", False),
    "egress": values["singleuser"]["networkPolicy"]["egressAllowRules"],
    "pulled": values["prePuller"]["hook"]["enabled"],
    "culled": values["cull"]["enabled"],
    "limit": values["hub"]["activeServerLimit"],
}))
