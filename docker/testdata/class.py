"""Lets all students of testdata/hub.py start their servers and run a notebook; prints one JSON object of facts.

    python class.py NUMBER NOTEBOOK [THINK]

THINK is how many seconds a student reads between two cells, on average; then they come one after the other, a quarter of that apart.
Without it all come at the same time and run all cells at once.
"""

import asyncio
import json
import os
import sys
import time

from tornado.httpclient import AsyncHTTPClient, HTTPRequest

NUMBER, NOTEBOOK, THINK = int(sys.argv[1]), sys.argv[2], (sys.argv[3:] or ["0"])[0]
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


async def student(number):
    name = f"student{number}"
    await asyncio.sleep(number * float(THINK) / 4)
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
        f"http://127.0.0.1:8000/user/{name}/", token, NOTEBOOK, "keep", "think=" + THINK, stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.PIPE)
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
    students = await asyncio.gather(*(student(number) for number in range(NUMBER)))
    print(json.dumps({"seconds": time.monotonic() - began, "students": students}))


asyncio.run(main())
