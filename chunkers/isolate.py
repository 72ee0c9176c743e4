"""Tasks -> answers, each worked out in a process that may die or hang without taking more than its task with it."""

from __future__ import annotations

import multiprocessing
import os
import signal
import sys
import threading
import time
from collections import deque
from collections.abc import Callable, Generator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from multiprocessing.connection import Connection, wait
from multiprocessing.context import BaseContext
from multiprocessing.process import BaseProcess
from pathlib import Path
from typing import Generic, TypeVar

Task = TypeVar("Task")
Answer = TypeVar("Answer")

STOP_SECONDS = 5.0


@dataclass(frozen=True, slots=True)
class Died:
    """The worker ended in the middle of its task: `exitcode` is its exit status, or minus the signal that ended it."""

    exitcode: int

    def __str__(self) -> str:
        if self.exitcode >= 0:
            return f"the process that read it ended with status {self.exitcode}"
        cause = {"SIGKILL": ", as the system does when memory runs out", "SIGSEGV": ", a crash in a library"}
        name = signal.Signals(-self.exitcode).name
        return f"the process that read it was ended by {name}{cause.get(name, '')}"


@dataclass(frozen=True, slots=True)
class TookTooLong:
    """The worker was ended because its task took more than `seconds`."""

    seconds: float

    def __str__(self) -> str:
        return f"it took more than {self.seconds:g} s"


@dataclass(frozen=True, slots=True)
class Outcome(Generic[Answer]):
    """What became of the task at `index`, and the seconds that it took."""

    index: int
    answer: Answer | Died | TookTooLong
    seconds: float


@dataclass(slots=True)
class _Worker:
    """A process and our end of its pipe; `index` is its task, None while it starts (`ready` false) or waits."""

    process: BaseProcess
    pipe: Connection
    ready: bool = False
    index: int | None = None
    since: float = field(default_factory=time.monotonic)

    def end(self) -> int:
        """Kill the process with all that it started; its exit code."""
        if hasattr(os, "killpg") and self.process.pid:
            with suppress(ProcessLookupError, PermissionError):
                os.killpg(self.process.pid, signal.SIGKILL)
        self.process.kill()
        self.process.join(STOP_SECONDS)
        self.pipe.close()
        code = self.process.exitcode
        return -signal.SIGKILL if code is None else code


def isolated(
    call: Callable[[Task], Answer], tasks: Sequence[Task], jobs: int, timeout: float | None = None
) -> Generator[Outcome[Answer], None, None]:
    """Yield what `call` gives for every task, in the order in which they end, from `jobs` processes that are reused.

    `call` and the tasks are pickled. A task whose process dies gives `Died`, one that takes more than `timeout` seconds
    `TookTooLong`; the others go on in a new process. An exception of `call` is raised here and ends the run. Closing
    the iterator kills the processes, as does the end of this process, however it comes.
    """
    context = _context(call)
    pending = deque(enumerate(tasks))
    workers: list[_Worker] = []
    try:
        while pending or any(worker.index is not None for worker in workers):
            idle = sum(worker.index is None for worker in workers)
            while len(workers) < jobs and idle < len(pending):
                workers.append(_start(context, call))
                idle += 1
            for worker in workers:
                if worker.ready and worker.index is None and pending:
                    worker.index, task = pending.popleft()
                    worker.since = time.monotonic()
                    with suppress(OSError):  # it died while it waited; the sentinel tells
                        worker.pipe.send(task)
            _sleep(workers, timeout)
            for worker in list(workers):
                outcome: Outcome[Answer] | None = _look(worker, timeout)
                if worker.pipe.closed:
                    workers.remove(worker)
                if outcome:
                    yield outcome
    finally:
        for worker in workers:
            worker.end()


def _context(call: object) -> BaseContext:
    """Workers come from a server that has imported the module of `call` once; where there is none they start anew."""
    if "forkserver" not in multiprocessing.get_all_start_methods():
        return multiprocessing.get_context("spawn")
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload([type(call).__module__])
    return context


def _start(context: BaseContext, call: Callable[[Task], Answer]) -> _Worker:
    ours, theirs = context.Pipe()
    process = context.Process(target=_work, args=(theirs, call))  # type: ignore[attr-defined]
    process.start()
    theirs.close()
    return _Worker(process, ours)


def _sleep(workers: list[_Worker], timeout: float | None) -> None:
    """Until a worker answers or dies, or the next one is due."""
    due = [worker.since + timeout for worker in workers if worker.index is not None] if timeout else []
    seconds = max(0.0, min(due) - time.monotonic()) if due else None
    wait([handle for worker in workers for handle in (worker.pipe, worker.process.sentinel)], seconds)


def _look(worker: _Worker, timeout: float | None) -> Outcome[Answer] | None:
    """The outcome of a worker's task if it has ended; the pipe of a worker that is gone is closed."""
    seconds = time.monotonic() - worker.since
    dead = not worker.process.is_alive()
    try:
        message = worker.pipe.recv() if worker.pipe.poll() else None
    except (EOFError, OSError):
        message, dead = None, True
    if message is not None:
        return _answer(worker, message, seconds)
    index = worker.index
    if dead:
        worker.process.join(STOP_SECONDS)
        code = worker.end()
        if not worker.ready:
            raise ChildProcessError(f"a worker process could not start (exit code {code})")
        return None if index is None else Outcome(index, Died(code), seconds)
    if timeout and index is not None and seconds >= timeout:
        worker.end()
        return Outcome(index, TookTooLong(timeout), seconds)
    return None


def _answer(worker: _Worker, message: tuple[str, object], seconds: float) -> Outcome[Answer] | None:
    kind, content = message
    if kind == "raised":
        assert isinstance(content, Exception)
        raise content
    index, worker.index = worker.index, None
    if kind == "ready":
        worker.ready = True
        return None
    assert index is not None
    return Outcome(index, content, seconds)  # type: ignore[arg-type]


def _work(pipe: Connection, call: Callable[[Task], Answer]) -> None:
    """The life of a worker: tasks come through the pipe until it is closed."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # an interrupt is for the supervisor, which then ends its workers
    if hasattr(os, "setsid"):
        os.setsid()
    with suppress(OSError):  # if memory runs out, the system shall take a worker, not the supervisor
        Path("/proc/self/oom_score_adj").write_text("800")
    threading.Thread(target=_die_with_supervisor, daemon=True).start()
    pipe.send(("ready", None))
    while True:
        try:
            task = pipe.recv()
        except (EOFError, OSError):
            return
        try:
            message: tuple[str, object] = ("answer", call(task))
        except Exception as error:
            message = ("raised", error)
        pipe.send(message)


def _die_with_supervisor() -> None:
    parent = multiprocessing.parent_process()
    assert parent is not None
    parent.join()
    if sys.platform != "win32":
        os.killpg(0, signal.SIGKILL)
    os._exit(1)
