#!/lab/.prl/python/bin/python
"""Health of the lab in this container: exit status 0 if its server answers, refuses strangers and has the kernel, 1 with the reason if not.

The address and the token come from the file that the server writes in its runtime folder, as with the check of Jupyter's own images; a hub's
server has no token there, and then only the answer is checked."""

import json
import sys
import urllib.error
import urllib.request
from pathlib import Path

from jupyter_core.paths import jupyter_runtime_dir

LOCAL = urllib.request.build_opener(urllib.request.ProxyHandler({}))  # whatever proxy the environment names, the server is in here


def get(url, token=None):
    headers = {"Authorization": "token " + token} if token else {}
    with LOCAL.open(urllib.request.Request(url, headers=headers), timeout=4) as answer:
        return json.load(answer)


def check():
    files = sorted(Path(jupyter_runtime_dir()).glob("jpserver-*.json"), key=lambda path: path.stat().st_mtime)
    if not files:
        return "no server has started"
    server = json.loads(files[-1].read_text())
    scheme = "https" if server["secure"] else "http"
    base = f"{scheme}://127.0.0.1:{server['port']}{server['base_url']}"
    if "version" not in get(base + "api"):
        return "the server answers, but not as Jupyter"
    if not server.get("token"):
        return None
    if "gonb" not in get(base + "api/kernelspecs", server["token"])["kernelspecs"]:
        return "the kernel gonb is not registered"
    try:
        get(base + "api/contents")
    except urllib.error.HTTPError as refusal:
        return None if refusal.code in (401, 403) else f"a stranger is answered with status {refusal.code}"
    return "the server answers without a token"


def main():
    try:
        reason = check()
    except Exception as error:  # whatever it is, the lab is not well
        reason = f"{type(error).__name__}: {error}"
    if reason:
        sys.exit("lab: " + reason)


main()
