#!/lab/.prl/python/bin/python
"""Health of the lab in this container: exit status 0 if its server answers, refuses strangers and has the kernel, 1 with the reason if not.

The address and the token come from the file that the server writes in its runtime folder, as with the check of Jupyter's own images. A hub's
server has no token there: whoever comes is asked at the hub, so the kernel is looked for on the disk."""

import json
import os
import sys
import urllib.error
import urllib.request
from pathlib import Path

from jupyter_client.kernelspec import KernelSpecManager
from jupyter_core.paths import jupyter_runtime_dir


class Stay(urllib.request.HTTPRedirectHandler):
    """Does not follow: to be sent to a page for signing in is to be refused."""

    def redirect_request(self, *_):
        return None


LOCAL = urllib.request.build_opener(urllib.request.ProxyHandler({}), Stay)  # whatever proxy the environment names, the server is in here


def get(url, token=None):
    headers = {"Authorization": "token " + token} if token else {}
    with LOCAL.open(urllib.request.Request(url, headers=headers), timeout=4) as answer:
        return json.load(answer)


def check():
    files = sorted(Path(jupyter_runtime_dir()).glob("jpserver-*.json"), key=lambda path: path.stat().st_mtime)
    if not files:
        return "no server runs"
    server = json.loads(files[-1].read_text())
    scheme = "https" if server["secure"] else "http"
    base = f"{scheme}://127.0.0.1:{server['port']}{server['base_url']}"
    if "version" not in get(base + "api"):
        return "the server answers, but not as Jupyter"
    try:
        get(base + "api/contents")
        return "the server answers without a token"
    except urllib.error.HTTPError as refusal:
        if refusal.code not in (302, 401, 403):
            return f"a stranger is answered with status {refusal.code}"
    if server.get("token"):
        kernels = {name: found["spec"]["argv"] for name, found in get(base + "api/kernelspecs", server["token"])["kernelspecs"].items()}
    elif "JUPYTERHUB_API_TOKEN" in os.environ:
        kernels = {name: found["spec"]["argv"] for name, found in KernelSpecManager().get_all_specs().items()}
    else:
        return "the server has no token"
    if "gonb" not in kernels:
        return "the kernel gonb is not registered"
    if not os.access(kernels["gonb"][0], os.X_OK):
        return f"the kernel's program {kernels['gonb'][0]} is missing"
    return None


def main():
    try:
        reason = check()
    except Exception as error:  # whatever it is, the lab is not well
        reason = f"{type(error).__name__}: {error}"
    if reason:
        sys.exit("lab: " + reason)


main()
