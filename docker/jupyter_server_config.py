# The server's settings in a container, beside those of every lab (jupyter_server_config.json in the same folder).
import os

c = get_config()  # noqa: F821  Jupyter defines it

c.ServerApp.root_dir = "/lab/notebooks"
c.ServerApp.open_browser = False

if "JUPYTERHUB_API_TOKEN" not in os.environ:  # a hub sees to address and access itself
    # All addresses of the container; on which address of the machine it is reached, docker's --publish says.
    c.ServerApp.ip = "0.0.0.0"
    c.ServerApp.port = 8888
    c.ServerApp.port_retries = 0
    # The entry point hands the token over in a pipe. A server started in another way makes a token of its own and prints it.
    token = os.environ.pop("JUPYTER_TOKEN", "")
    if "PRL_TOKEN_FD" in os.environ:
        with open(int(os.environ.pop("PRL_TOKEN_FD")), encoding="utf-8") as pipe:
            token = pipe.read().strip()
        if not token:
            raise SystemExit("lab: the token is empty; a lab without a token would be open to everybody")
    if token:
        c.IdentityProvider.token = token
    c.PasswordIdentityProvider.hashed_password = ""
    c.PasswordIdentityProvider.allow_password_change = False

# What a person does not need to see in the file browser.
c.ContentsManager.hide_globs = ["__pycache__", "*.pyc", "*~", ".seed.*", "kernel", "items.json", "*_test.go", "readme.svg"]
# A terminal is no more than the kernel gives anyway: the same user in the same container.
c.ServerApp.terminals_enabled = True
