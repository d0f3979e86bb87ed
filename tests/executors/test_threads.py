"""Jobs in threads: all are run once, errors arrive as events, and leaving stops them."""

from __future__ import annotations

import threading

from hansproof.executors.threads import SendEvent, run_in_threads


def test_every_job_is_run_once_and_its_events_keep_their_order() -> None:
    def run_job(number: int, send_event: SendEvent[str]) -> None:
        assert send_event(f"{number} begins")
        assert send_event(f"{number} ends")

    with run_in_threads(range(20), run_job, 3) as events:
        received = [events.get(timeout=10) for _ in range(40)]
    for number in range(20):
        own = [event for sender, event in received if sender == number]
        assert own == [f"{number} begins", f"{number} ends"]


def test_an_exception_is_the_last_event_of_its_thread() -> None:
    def run_job(number: int, send_event: SendEvent[str]) -> None:
        raise ValueError(number)

    with run_in_threads([7, 8, 9], run_job, 1) as events:
        number, error = events.get(timeout=10)
    assert number == 7
    assert isinstance(error, ValueError)
    assert events.empty()


def test_leaving_tells_jobs_to_stop_and_waits_for_them() -> None:
    stopped = threading.Event()

    def run_job(number: int, send_event: SendEvent[int]) -> None:
        assert number == 0, "no job is begun after leaving"
        while send_event(number):
            pass
        stopped.set()

    with run_in_threads([0, 1], run_job, 1) as events:
        events.get(timeout=10)
    assert stopped.is_set()
