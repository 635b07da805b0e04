"""Calls of gyre-call, in the folder that this file is in."""

import os
import pathlib
import shutil
import subprocess
import threading

import measure

HERE = pathlib.Path(__file__).resolve().parent


SANITIZER = "compute-sanitizer"
FOUND = 9  # its exit status, where it has a complaint


def sanitizer(options):
    if not options.sanitize:
        return []
    tool = shutil.which(SANITIZER) or pathlib.Path("/usr/local/cuda/bin", SANITIZER)
    return [tool, "--tool", options.sanitize, "--error-exitcode", FOUND]


def call(options, manifest, function, *more):
    run(options, manifest, function, "--func", function, *more)


def environment():
    return {
        **os.environ,
        "LD_LIBRARY_PATH": f"{HERE / 'lib'}:{os.environ.get('LD_LIBRARY_PATH', '')}",
    }


def run(options, manifest, what, *arguments):
    """Any call of gyre-call; `what` is for the message of an error, which has the output."""
    words = [HERE / manifest, *arguments]
    if options.sanitize == "initcheck":
        words += ["--keep-memory"]  # what is spoilt counts as written
    if options.device:
        words += ["--device", options.device]
    command = [str(part) for part in (*sanitizer(options), HERE / "bin" / "gyre-call", *words)]
    done = subprocess.run(
        command,
        capture_output=True,
        text=True,
        env=environment(),
        timeout=options.timeout,
        check=False,
    )
    fail_if(done.returncode, what, done.stderr + done.stdout)


def fail_if(status, what, output):
    if status:
        raise measure.Mismatch(f"{what}: {output.strip() or f'exit status {status}'}")


class Server:
    """Calls by one process, which opens the GPU once: that takes longer than a small call."""

    STATUS = "gyre-call: status "

    def __init__(self):
        self._process = None

    def run(self, options, manifest, what, *arguments):
        """As `run`, but not under a sanitizer."""
        if options.sanitize:
            return run(options, manifest, what, *arguments)
        words = [HERE / manifest, *arguments]
        words += ["--device", options.device] if options.device else []
        watch = threading.Timer(options.timeout, self.close)
        watch.start()
        try:
            status, output = self._ask([str(word) for word in words])
        finally:
            watch.cancel()
        if status:
            self.close()  # errors of a GPU stay with their process
        return fail_if(status, what, output)

    def _ask(self, words):
        if self._process is None or self._process.poll() is not None:
            self._process = subprocess.Popen(
                [str(HERE / "bin" / "gyre-call"), "--serve"],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                text=True,
                env=environment(),
            )
        server, output = self._process, []
        try:
            server.stdin.write("\t".join(words) + "\n")
            server.stdin.flush()
        except BrokenPipeError:
            pass  # it says below why it ended
        for line in server.stdout:
            if line.startswith(self.STATUS):
                return int(line[len(self.STATUS) :]), "".join(output)
            output.append(line)
        return server.wait() or 1, "".join(output) + "ended, or took too long"

    def close(self):
        process, self._process = self._process, None
        if process is not None:
            process.kill()
            process.wait()
