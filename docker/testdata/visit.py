"""Visits a lab as JupyterLab in a browser does, by its REST interface and web sockets, and prints the facts as one JSON object.

    python visit.py WHAT URL TOKEN [ARGUMENT]

WHAT is access, kernel, trust or notebook.
"""

import asyncio
import json
import random
import statistics
import sys
import time
import urllib.parse
import uuid

from tornado.httpclient import AsyncHTTPClient, HTTPRequest
from tornado.websocket import websocket_connect

from turns import turn

WHAT, URL, TOKEN = sys.argv[1:4]


async def call(path, token=TOKEN, method="GET", body=None):
    headers = {"Authorization": "token " + token} if token else {}
    request = HTTPRequest(
        URL + path, method=method, headers=headers, follow_redirects=False, request_timeout=120,
        body=json.dumps(body) if body is not None else "" if method in ("POST", "PUT", "PATCH") else None,
    )
    return await AsyncHTTPClient().fetch(request, raise_error=False)


async def access():
    facts = {}
    for name, token in {"stranger": None, "wrong": "0" * 48, "owner": TOKEN}.items():
        facts[name] = {}
        for path in ("lab", "api/contents", "api/kernelspecs", "api/status", "files/01-bayes-decision.ipynb"):
            facts[name][path] = (await call(path, token)).code
    answer = await call("lab?token=" + TOKEN, None)
    facts["link"] = answer.code
    facts["page"] = b"jupyter-config-data" in answer.body
    facts["wronglink"] = (await call("lab?token=" + "0" * 48, None)).code
    try:
        await websocket_connect(URL.replace("http", "ws", 1) + "api/events/subscribe")
        facts["socket"] = 101
    except Exception as error:
        facts["socket"] = getattr(error, "code", str(error))
    listing = json.loads((await call("api/contents")).body)
    facts["listing"] = sorted(entry["name"] for entry in listing["content"])
    return facts


class Kernel:
    """One session, that is a notebook with its kernel."""

    async def open(self, path):
        answer = await call("api/sessions", method="POST", body={
            "path": path, "name": path, "type": "notebook", "kernel": {"name": "gonb"},
        })
        if answer.code != 201:
            raise RuntimeError(f"no session: {answer.code} {answer.body}")
        session = json.loads(answer.body)
        self.session, self.id = session["id"], session["kernel"]["id"]
        await self.connect()
        return self

    async def connect(self):
        address = URL.replace("http", "ws", 1) + f"api/kernels/{self.id}/channels?" + urllib.parse.urlencode({"session_id": uuid.uuid4().hex})
        self.socket = await websocket_connect(HTTPRequest(address, headers={"Authorization": "token " + TOKEN}), max_message_size=1 << 28)
        await self.ask("shell", "kernel_info_request", {}, 120)

    async def send(self, channel, kind, content):
        header = {"msg_id": uuid.uuid4().hex, "msg_type": kind, "username": "", "session": self.session, "version": "5.3", "date": ""}
        await self.socket.write_message(json.dumps(
            {"header": header, "parent_header": {}, "metadata": {}, "content": content, "channel": channel, "buffers": []}))
        return header["msg_id"]

    async def messages(self, of, limit):
        end = time.monotonic() + limit
        while True:
            text = await asyncio.wait_for(self.socket.read_message(), max(0.01, end - time.monotonic()))
            if text is None:
                raise RuntimeError("the web socket was closed")
            message = json.loads(text)
            if message.get("parent_header", {}).get("msg_id") == of:
                yield message

    async def ask(self, channel, kind, content, limit=60):
        async for message in self.messages(await self.send(channel, kind, content), limit):
            if message["channel"] == channel:
                return message["content"]

    async def run(self, code, limit=120):
        """Runs a cell: its time, its outputs by type, what it printed."""
        began = time.monotonic()
        facts = {"status": "ok", "displays": 0, "html": 0, "text": "", "error": ""}
        of = await self.send("shell", "execute_request", {
            "code": code, "silent": False, "store_history": True, "user_expressions": {}, "allow_stdin": False, "stop_on_error": True})
        async for message in self.messages(of, limit):
            kind, content = message["msg_type"], message["content"]
            if kind == "stream":
                facts["text"] += content["text"]
            elif kind == "display_data":
                facts["displays"] += 1
                facts["html"] += len(content["data"].get("text/html", ""))
            elif kind == "error":
                facts["status"], facts["error"] = "error", content["evalue"]
            elif kind == "status" and content["execution_state"] == "idle":
                facts["seconds"] = time.monotonic() - began
                return facts

    async def close(self):
        self.socket.close()
        await call("api/sessions/" + self.session, method="DELETE")


IMPORTS = 'import (\n\t"fmt"\n\t"math"\n\t"os"\n\t"strings"\n\n\t"github.com/prlab/prlab/plotting"\n)\n'


async def kernel():
    facts = {}
    began = time.monotonic()
    k = await Kernel().open("01-bayes-decision.ipynb")
    facts["ready"] = time.monotonic() - began
    chart = IMPORTS + "var _ = fmt.Sprint(math.Pi, os.Args, strings.Fields(\"\"))\n%%\n" + \
        'plotting.New(plotting.Curve(math.Sin, 0, 6)).Title("sine").Show()'
    facts["first"] = await k.run(chart)
    warm = [await k.run(f'%%\nplotting.New(plotting.Curve(math.Cos, 0, {3 + i})).Title("cosine {i}").Show()') for i in range(9)]
    facts["warm"] = statistics.median(cell["seconds"] for cell in warm)
    facts["slowest"] = max(cell["seconds"] for cell in warm)
    facts["charts"] = [cell["displays"] for cell in warm]

    facts["environment"] = (await k.run('%%\nfmt.Println(strings.Join(os.Environ(), "\\n"))'))["text"]
    facts["status"] = (await k.run('%%\ntext, err := os.ReadFile("/proc/self/status")\nfmt.Println(string(text), err)'))["text"]

    deadline, matches = time.monotonic() + 60, []
    code = "%%\nstrings.Fiel"
    while not matches and time.monotonic() < deadline:  # the kernel reads the packages first
        began = time.monotonic()
        matches = (await k.ask("shell", "complete_request", {"code": code, "cursor_pos": len(code)}))["matches"]
        facts["completion"] = time.monotonic() - began
    facts["matches"] = matches

    async def interrupt():
        await asyncio.sleep(2)
        return await call(f"api/kernels/{k.id}/interrupt", method="POST")

    endless, answer = await asyncio.gather(k.run("%%\nfmt.Println(\"begun\")\nfor {\n}", 60), interrupt())
    facts["interrupt"] = {**endless, "code": answer.code}
    facts["after interrupt"] = await k.run('%%\nfmt.Println("alive")')
    await k.run("var remembered = 7")
    answer = await call(f"api/kernels/{k.id}/restart", method="POST")
    k.socket.close()
    await k.connect()
    facts["restart"] = answer.code
    facts["after restart"] = await k.run('import "fmt"\n%%\nfmt.Println("alive again")')
    facts["forgotten"] = await k.run("%%\nfmt.Println(remembered)")
    await k.close()
    return facts


async def trust():
    """A notebook from elsewhere is put on the volume and opened; then one that was there from the start."""
    script = "<script>window.stolen = document.cookie</script>"
    foreign = {
        "nbformat": 4, "nbformat_minor": 5, "metadata": {"kernelspec": {"name": "gonb", "display_name": "Go", "language": "go"}},
        "cells": [{
            "cell_type": "code", "id": "a", "metadata": {}, "execution_count": 1, "source": "%%",
            "outputs": [{"output_type": "display_data", "metadata": {}, "data": {"text/html": script}}],
        }],
    }
    facts = {"put": (await call("api/contents/foreign.ipynb", method="PUT", body={"type": "notebook", "content": foreign})).code}
    for name in ("foreign", "01-bayes-decision"):
        cells = json.loads((await call(f"api/contents/{name}.ipynb?content=1")).body)["content"]["cells"]
        facts[name] = [cell["metadata"].get("trusted") for cell in cells if cell["cell_type"] == "code" and cell["outputs"]]
    return facts


async def notebook():
    """Executes all cells of a notebook, as a person does who runs all. By turns, as one who reads: it waits for its turn before each cell, and
    changes every fifth, asking for a completion as it types."""
    began = time.monotonic()
    path = sys.argv[4]
    turns = next((word.removeprefix("turns=") for word in sys.argv[5:] if word.startswith("turns=")), "")
    chance = random.Random(URL)
    cells = json.loads((await call(f"api/contents/{path}?content=1")).body)["content"]["cells"]
    async with turn(turns):
        k = await Kernel().open(path)
    facts = {"ready": time.monotonic() - began, "cells": 0, "failures": [], "slowest": 0}
    each = []
    for cell in cells:
        if cell["cell_type"] != "code" or not cell["source"].strip():
            continue
        code = cell["source"]
        async with turn(turns):
            if turns and facts["cells"] % 5 == 4:
                await k.ask("shell", "complete_request", {"code": code, "cursor_pos": len(code) // 2})
                code += f"\n// {chance.random()}"  # another program, which no build before has made
            done = await k.run(code, 300)
        each.append(done["seconds"])
        facts["cells"] += 1
        facts["slowest"] = max(facts["slowest"], done["seconds"])
        if done["status"] != "ok" and "raises-exception" not in cell["metadata"].get("tags", []):
            facts["failures"].append(f"{cell['id']}: {done['error']} {done['text'][-300:]}")
    facts["seconds"] = time.monotonic() - began
    facts["first"], facts["median"] = each[0], statistics.median(each)
    if "keep" not in sys.argv[5:]:
        await k.close()
    return facts


print(json.dumps(asyncio.run({"access": access, "kernel": kernel, "trust": trust, "notebook": notebook}[WHAT]())))
