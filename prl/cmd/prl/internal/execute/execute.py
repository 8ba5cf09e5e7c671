"""Executes one notebook through its kernel and tells on standard output what happens, one JSON object a line.

    python execute.py NOTEBOOK --output FILE --folder FOLDER --parent PID --timeout SECONDS --limit BYTES

Events: {"event": "begin", "cells": n}, {"event": "cell", "cell": i, "seconds": s}, {"event": "failed", "cell": i, "kind": ...},
{"event": "end"}. Cells are counted from 0. The executed notebook is written to FILE only if every cell succeeded. A cell with the
tag raises-exception may fail. The command `prl run` starts this program and does all else.
"""

import argparse
import asyncio
import json
import os
import shutil
import signal
import sys
import threading
import time

import nbformat
from nbclient import NotebookClient
from nbclient.exceptions import CellExecutionError, CellTimeoutError, DeadKernelError


# Standard output belongs to this program alone: the kernel and its cells, which inherit it, write to the error output instead, and whoever
# reads the events sees their end when this program ends, whatever else lives on.
events = os.fdopen(os.dup(1), "w", encoding="utf-8")
os.dup2(2, 1)


def tell(event, **facts):
    print(json.dumps({"event": event, **facts}), file=events, flush=True)


class Client(NotebookClient):
    """nbclient's client, which reports each cell and stops a cell that prints without end."""

    def __init__(self, *args, limit, **kwargs):
        super().__init__(*args, **kwargs)
        self.limit = limit  # bytes of text that one cell may print
        self.printed = 0
        self.flooded = False
        self.current = None
        self.began = 0.0
        self.of_kernel = None  # its process, which nbclient forgets when it dies

    async def async_execute_cell(self, cell, cell_index, **kwargs):
        self.current, self.began = cell_index, time.monotonic()
        self.of_kernel = getattr(getattr(self.km, "provisioner", None), "process", None) or self.of_kernel
        self.printed, self.flooded = 0, False
        if cell.cell_type == "code":
            # nbclient keeps the old outputs of a blank cell.
            cell.outputs = []
        try:
            return await super().async_execute_cell(cell, cell_index, **kwargs)
        finally:
            tell("cell", cell=cell_index, seconds=round(time.monotonic() - self.began, 3))

    def process_message(self, msg, cell, cell_index):
        if msg["msg_type"] != "stream":
            return super().process_message(msg, cell, cell_index)
        text = msg["content"]["text"]
        room = max(0, self.limit - self.printed)
        self.printed += len(text)
        if self.printed > self.limit and not self.flooded:
            self.flooded = True
            asyncio.ensure_future(self.km.interrupt_kernel())
        if room == 0:
            return None
        msg["content"]["text"] = text[:room]
        return super().process_message(msg, cell, cell_index)

    async def _check_raise_for_error(self, cell, cell_index, exec_reply):
        if self.flooded and "raises-exception" not in cell.metadata.get("tags", []):
            raise Flood(self.limit)
        await super()._check_raise_for_error(cell, cell_index, exec_reply)


class Flood(Exception):
    """A cell printed more than the limit."""


def died(process):
    """Why a kernel is no more, as far as its process tells, and what helps."""
    status = None
    for _ in range(20):
        status = process.poll() if process else None
        if status is not None:
            break
        time.sleep(0.1)
    if status in (-signal.SIGKILL, 128 + signal.SIGKILL):
        return (
            "the kernel died: the system ended it (signal 9), most often because memory was full. Look for a slice that is made too large, "
            "or that grows without an end; where memory is limited, a larger limit helps (PRL_MEMORY of a hub)"
        )
    if status is None or status == 0:
        return "the kernel died without a word; execute the notebook again, and look into the memory of the machine if it happens again"
    if status < 0 or status > 128:
        number = -status if status < 0 else status - 128
        try:
            name = signal.Signals(number).name
        except ValueError:
            name = "unknown"
        return f"the kernel died of signal {number} ({name}), which the cell or another program has sent"
    return f"the kernel died with status {status}"


def shown(cell):
    """The output that is a block of the library that tells of a failure, or None. Checks stand where the first of a cell was shown."""
    for output in reversed(cell.get("outputs", [])):
        if "data" in output:
            html = output.data.get("text/html", "")
            if "data-prl-error" in html or 'data-prl-outcome="failed"' in html:
                return output
    return None


def printed(cell):
    """What the cell printed and showed as text, for the message about its failure, without the library's own account of that."""
    parts = []
    account = shown(cell)
    for output in cell.get("outputs", []):
        if output.output_type == "stream":
            parts.append(output.text)
        elif "data" in output and output is not account:
            parts.append(output.data.get("text/plain", "") + "\n")
    return "".join(parts)[-6000:]


def trace(cell):
    """The kernel's own account of an error, with the lines of the cell; nothing if the library has shown what failed."""
    for output in cell.get("outputs", []):
        if output.output_type == "error":
            return "\n".join(output.traceback)
    return ""


def execute(options):
    notebook = nbformat.read(options.notebook, as_version=4)
    client = Client(
        notebook,
        kernel_name=options.kernel,
        timeout=options.timeout,
        startup_timeout=120,
        record_timing=False,
        limit=options.limit,
        resources={"metadata": {"path": options.folder}},
    )
    tell("begin", cells=len(notebook.cells))
    failure = None
    try:
        client.execute()
    except CellExecutionError as error:
        cell = notebook.cells[client.current]
        account = shown(cell)
        failure = {"kind": "error", "value": error.evalue, "trace": trace(cell), "account": account.data.get("text/plain", "") if account else ""}
    except CellTimeoutError:
        failure = {"kind": "timeout", "value": f"the cell takes longer than {options.timeout} s"}
    except DeadKernelError:
        failure = {"kind": "dead", "value": died(client.of_kernel)}
    except Flood as flood:
        failure = {"kind": "flood", "value": f"the cell printed more than {flood.args[0]} bytes and was stopped"}
    except RuntimeError as error:  # how jupyter_client tells that a kernel does not start
        failure = {"kind": "start" if client.current is None else "dead", "value": str(error)}
    if failure:
        at = client.current
        tell("failed", cell=at, printed=printed(notebook.cells[at]) if at is not None else "", **failure)
        return 1
    with open(options.output, "w", encoding="utf-8") as file:
        nbformat.write(notebook, file, version=4)
    tell("end")
    return 0


def end_with(parent):
    """Ends the kernel and this program when the program that started it is gone without a word (killed, out of memory)."""
    while os.getppid() == parent:
        time.sleep(0.25)
    os.kill(os.getpid(), signal.SIGTERM)  # on which nbclient shuts the kernel down


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("notebook")
    parser.add_argument("--output", required=True)
    parser.add_argument("--folder", required=True, help="the kernel's working folder")
    parser.add_argument("--kernel", default="gonb")
    parser.add_argument("--timeout", type=int, default=60)
    parser.add_argument("--limit", type=int, default=1_000_000)
    # The parent may be gone before this line, so it tells its id.
    parser.add_argument("--parent", type=int, default=os.getppid())
    options = parser.parse_args()
    threading.Thread(target=end_with, args=(options.parent,), daemon=True).start()
    try:
        sys.exit(execute(options))
    finally:
        if os.getppid() != options.parent:  # nobody is left to remove the session's folder, in which this program stands
            shutil.rmtree(os.path.dirname(os.path.abspath(__file__)), ignore_errors=True)


if __name__ == "__main__":
    main()
