"""Talks to one kernel, which the second argument names, in the folder that the first names: reads a request a line from standard input,
answers with one JSON object a line.

    {"code": "...", "timeout": 60, "interrupt": true}   execute; with "interrupt", interrupt as soon as the cell has printed something
    {"code": "...", "after": 0.1}                        execute, and interrupt after so many seconds
    {"complete": "...", "while": "..."}                  complete the text at its end, while the cell "while" runs if that is given
    {"explain": "..."}                                  the documentation of what stands at the end of the text, as a reader asks for it by Shift+Tab
    {"restart": true}                                   restart the kernel

The answer to a cell has: status (ok, error, timeout, dead), seconds (from an interrupt on), displays, printed (bytes), stdout and stderr
(their ends), plain (the text/plain of the displays), updates (how often a display was shown anew), order (s for text and d for displays, as
they come), page (the text/plain of the displays that a page has at the end), error (the value of the reply's error), trace (what a page
shows of it). The first line, sent unasked, is {"status": "ready", "seconds": s}. The kernel ends with standard input. The benchmark of cells
and the tests of the kernel use this program.
"""

import json
import math
import os
import queue
import sys
import time

from jupyter_client.manager import KernelManager

KEEP = 4000  # characters of text kept for the answer

# The kernel and its cells inherit standard output; they write to the error output instead.
answers = os.fdopen(os.dup(1), "w", encoding="utf-8")
os.dup2(2, 1)


def answer(**facts):
    print(json.dumps(facts), file=answers, flush=True)


def execute(manager, client, request):
    began = time.monotonic()
    deadline = began + request.get("timeout", 60)
    interrupt, after = request.get("interrupt", False), began + request.get("after", math.inf)
    result = {"status": "timeout", "displays": 0, "printed": 0, "updates": 0, "order": "", "plain": []}
    result |= {"stdout": "", "stderr": "", "error": "", "trace": ""}
    page, clear = [], False
    message_id = client.execute(request["code"], allow_stdin=False)
    while time.monotonic() < deadline:
        if interrupt and result["printed"] or time.monotonic() >= after:
            manager.interrupt_kernel()
            began, interrupt, after = time.monotonic(), False, math.inf
        try:
            message = client.get_iopub_msg(timeout=min(0.1, max(0, after - time.monotonic())))
        except queue.Empty:
            if not manager.is_alive():
                result["status"] = "dead"
                break
            continue
        if message["parent_header"].get("msg_id") != message_id:
            continue
        kind, content = message["msg_type"], message["content"]
        if clear and kind in ("stream", "display_data", "error"):
            page, clear = [], False
        if kind in ("stream", "display_data") and not result["order"].endswith(kind[0]):
            result["order"] += kind[0]
        if kind == "clear_output":
            page, clear = (page, True) if content["wait"] else ([], False)
        elif kind == "update_display_data":
            result["updates"] += 1
            text, id = content["data"].get("text/plain", "")[:200], content["transient"]["display_id"]
            page = [(i, text if i == id else old) for i, old in page]
        elif kind == "stream":
            result["printed"] += len(content["text"])
            result[content["name"]] = (result[content["name"]] + content["text"])[-KEEP:]
        elif kind == "display_data":
            result["displays"] += 1
            result["plain"].append(content["data"].get("text/plain", "")[:200])
            page.append((content.get("transient", {}).get("display_id"), result["plain"][-1]))
        elif kind == "error":
            result["trace"] += "\n".join(content["traceback"])
        elif kind == "status" and content["execution_state"] == "idle":
            reply = client.get_shell_msg(timeout=60)
            while reply["parent_header"].get("msg_id") != message_id:
                reply = client.get_shell_msg(timeout=60)
            result["status"] = reply["content"]["status"]
            result["error"] = reply["content"].get("evalue", "")
            break
    result["seconds"] = time.monotonic() - began
    result["page"] = [text for _, text in page]
    return result


def complete(client, request):
    if request.get("while"):
        client.execute(request["while"], allow_stdin=False)
    began = time.monotonic()
    message_id = client.complete(request["complete"], len(request["complete"]))
    reply = client.get_shell_msg(timeout=60)
    while reply["parent_header"].get("msg_id") != message_id:
        reply = client.get_shell_msg(timeout=60)
    content = reply["content"]
    busy = content["metadata"].get("prl_busy", False)
    return {"status": content["status"], "seconds": time.monotonic() - began, "plain": content["matches"], "busy": busy}


def explain(client, request):
    began = time.monotonic()
    message_id = client.inspect(request["explain"], len(request["explain"]))
    reply = client.get_shell_msg(timeout=60)
    while reply["parent_header"].get("msg_id") != message_id:
        reply = client.get_shell_msg(timeout=60)
    text = reply["content"].get("data", {}).get("text/markdown", "")
    return {"status": reply["content"]["status"], "seconds": time.monotonic() - began, "plain": [text]}


def connect(manager):
    client = manager.client()
    client.start_channels()
    client.wait_for_ready(timeout=120)
    return client


def main():
    manager = KernelManager(kernel_name=sys.argv[2])
    began = time.monotonic()
    manager.start_kernel(cwd=sys.argv[1])
    try:
        client = connect(manager)
        answer(status="ready", seconds=time.monotonic() - began, pid=manager.provisioner.pid)
        for line in sys.stdin:
            request = json.loads(line)
            if request.get("restart"):
                began = time.monotonic()
                client.stop_channels()
                manager.restart_kernel(now=not manager.is_alive())
                client = connect(manager)
                answer(status="ready", seconds=time.monotonic() - began, pid=manager.provisioner.pid)
            elif "complete" in request:
                answer(**complete(client, request))
            elif "explain" in request:
                answer(**explain(client, request))
            else:
                answer(**execute(manager, client, request))
    finally:
        if manager.is_alive():
            manager.shutdown_kernel()


if __name__ == "__main__":
    main()
