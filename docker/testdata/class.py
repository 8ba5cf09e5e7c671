"""Lets all students of testdata/hub.py start their servers and run a notebook; prints one JSON object of facts.

    python class.py NUMBER NOTEBOOK TURNS

TURNS is how many students start a server or run a cell at the same time, while the others read; with 0 all do at once.
"""

import asyncio
import json
import os
import sys
import tempfile
import time

from tornado.httpclient import AsyncHTTPClient, HTTPRequest

from turns import turn, turns_in

NUMBER, NOTEBOOK, TURNS = int(sys.argv[1]), sys.argv[2], int(sys.argv[3])
HUB = "http://127.0.0.1:8000/hub/api/"
TOKEN = os.environ["HUB_TEST_TOKEN"]
AsyncHTTPClient.configure(None, max_clients=100)


async def hub(path, method="GET", body=None):
    request = HTTPRequest(HUB + path, method=method, headers={"Authorization": "token " + TOKEN}, request_timeout=300,
                          body=json.dumps(body) if body is not None else "" if method == "POST" else None)
    answer = await AsyncHTTPClient().fetch(request, raise_error=False)
    if answer.code >= 400:
        raise RuntimeError(f"{method} {path}: {answer.code} {answer.body[-500:]}")
    return json.loads(answer.body) if answer.body else None


async def student(number, turns):
    name = f"student{number}"
    async with turn(turns):
        began = time.monotonic()
        token = (await hub(f"users/{name}/tokens", "POST", {"note": "test"}))["token"]
        await hub(f"users/{name}/server", "POST", {})
        while not (await hub(f"users/{name}"))["servers"].get("", {}).get("ready"):
            if time.monotonic() - began > 400:
                raise RuntimeError(f"the server of {name} does not start")
            await asyncio.sleep(0.5)
        started = time.monotonic() - began
    # Nobody else comes in: neither without a token nor with the token of another student.
    codes = []
    for headers in ({}, {"Authorization": "token " + student.other} if student.other else {}):
        answer = await AsyncHTTPClient().fetch(
            HTTPRequest(f"http://127.0.0.1:8000/user/{name}/api/contents", headers=headers, follow_redirects=False), raise_error=False)
        codes.append(answer.code)
    student.other = token
    process = await asyncio.create_subprocess_exec(
        sys.executable, os.path.join(os.path.dirname(os.path.abspath(__file__)), "visit.py"), "notebook",
        f"http://127.0.0.1:8000/user/{name}/", token, NOTEBOOK, "keep", "turns=" + turns, stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.PIPE)
    out, errors = await process.communicate()
    facts = json.loads(out) if process.returncode == 0 else {"failures": [errors.decode()[-1500:]]}
    return {"name": name, "started": started, "strangers": codes, "ended": time.monotonic() - began, **facts}


student.other = None


async def main():
    for _ in range(300):
        try:
            await hub("")
            break
        except (OSError, RuntimeError):
            await asyncio.sleep(0.5)
    began = time.monotonic()
    with tempfile.TemporaryDirectory() as folder:
        turns = turns_in(folder, TURNS)
        students = await asyncio.gather(*(student(number, turns) for number in range(NUMBER)))
    print(json.dumps({"seconds": time.monotonic() - began, "students": students}))


asyncio.run(main())
