"""The lab's part of Jupyter's server.

It trusts the chapters as the lab has placed them, in Jupyter's own store of signatures. And it has the programs built with which their
figures compute: all of them, in the order of reading, and first those that a page asks for.
"""

import json
import subprocess
import threading
from pathlib import Path

import nbformat
from jupyter_server.base.handlers import APIHandler
from jupyter_server.utils import url_path_join
from nbformat.sign import NotebookNotary
from tornado import web


def chapters(root, originals):
    """The folder with the chapters as they were placed: beside the reader's copies, or the folder of the chapters itself."""
    if Path(root).resolve() == Path(originals).resolve():
        return Path(root)
    return Path(root, ".chapters")


def trust(folder, app):
    """Signs the chapters. A copy that a reader has changed is another notebook, which Jupyter's rules decide on."""
    with NotebookNotary(parent=app) as notary:
        for path in sorted(folder.glob("*.ipynb")):
            try:
                notebook = nbformat.read(path, as_version=4)
                if not notary.check_signature(notebook):
                    notary.sign(notebook)
            except Exception as err:
                app.log.warning("%s is not trusted: %s", path, err)


class Builder:
    """The program that builds modules, and what it has told."""

    def __init__(self, program, folder, places, log):
        self.places = [Path(place).expanduser() for place in places]  # where modules are
        self.told = {}
        self.asked = set()
        self.count = {"done": 0, "chapters": 0}
        self.process = subprocess.Popen(
            [program, "modules", str(folder)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            encoding="utf-8",
            start_new_session=True,  # ^C at the terminal is for the server
        )
        threading.Thread(target=self.listen, args=(log,), daemon=True).start()

    def listen(self, log):
        for line in self.process.stdout:
            one = json.loads(line)
            self.count = {"done": one.pop("done"), "chapters": one.pop("chapters")}
            name = one.pop("name")
            if one:
                self.told[name] = one
                self.asked.discard(name)
        log.warning("the program that builds modules of figures has ended")

    def answer(self, name):
        """What is known of a module: {"module": file}, {"why": words} when there will be none, and else how far the builder is."""
        known = self.told.get(name)
        if known and "why" in known:
            return self.told.pop(name)  # another time it may be there
        if known and any(place.joinpath(known["module"]).is_file() for place in self.places):
            return known
        if name not in self.asked:
            self.asked.add(name)
            try:
                self.process.stdin.write(name.replace("\n", " ") + "\n")
                self.process.stdin.flush()
            except OSError:
                return {"why": "The lab's program that builds figures has ended. Start the lab again."}
        return self.count


class Modules(APIHandler):
    """Tells a page where the module of a figure is, or how long it will be."""

    @web.authenticated
    def get(self):
        self.finish(self.settings["prl_builder"].answer(self.get_query_argument("of")))


def _jupyter_server_extension_points():
    return [{"module": "prl_lab"}]


def _load_jupyter_server_extension(app):
    lab = app.config.PrlLab
    folder = chapters(app.root_dir, lab.chapters)
    threading.Thread(target=trust, args=(folder, app), daemon=True).start()
    app.web_app.settings["prl_builder"] = Builder(lab.builder, folder, app.extra_static_paths, app.log)
    app.web_app.add_handlers(".*$", [(url_path_join(app.web_app.settings["base_url"], "prl", "module"), Modules)])
