"""Lets only some of many processes work at the same time."""

import asyncio
import contextlib
import fcntl
import os
import random


def turns_in(folder, number):
    """Makes a file in the folder for each of those who work at once, and returns the folder; or nothing, if all may."""
    for i in range(number):
        open(os.path.join(folder, str(i)), "w").close()
    return folder if number else ""


@contextlib.asynccontextmanager
async def turn(folder):
    """Waits for one of the files to be free, and holds it."""
    names = [os.path.join(folder, name) for name in os.listdir(folder)] if folder else []
    while names:
        random.shuffle(names)
        for name in names:
            file = open(name)
            try:
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
                names = []
                break
            except BlockingIOError:
                file.close()
        else:
            await asyncio.sleep(0.1)
    try:
        yield
    finally:
        if folder:
            file.close()
