"""Training leaves the process as it was."""

from __future__ import annotations

import pytest

from hansproof.training.determinism import deterministic_mode

torch = pytest.importorskip("torch")


def state() -> tuple[bool, bool, bool]:
    return (
        torch.are_deterministic_algorithms_enabled(),
        torch.is_deterministic_algorithms_warn_only_enabled(),
        torch.utils.deterministic.fill_uninitialized_memory,
    )


def test_numbers_drawn_meanwhile_are_drawn_again_afterwards() -> None:
    torch.manual_seed(5)
    expected = torch.rand(3)
    torch.manual_seed(5)
    with deterministic_mode(False):
        torch.manual_seed(9)
        torch.rand(7)
    assert torch.equal(torch.rand(3), expected)


@pytest.mark.parametrize("fails", [False, True])
def test_what_was_set_is_set_again(fails: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CUBLAS_WORKSPACE_CONFIG", ":16:8")
    before = state()
    try:
        with deterministic_mode(True):
            assert state() == (True, False, False)
            if fails:
                raise ZeroDivisionError
    except ZeroDivisionError:
        assert fails
    assert state() == before


def test_where_sums_are_in_order_anyway_nothing_is_set() -> None:
    before = state()
    with deterministic_mode(False):
        assert state() == before


def test_who_asked_for_warnings_gets_them_back() -> None:
    torch.use_deterministic_algorithms(True, warn_only=True)
    try:
        with deterministic_mode(True):
            assert not torch.is_deterministic_algorithms_warn_only_enabled()
        assert torch.is_deterministic_algorithms_warn_only_enabled()
    finally:
        torch.use_deterministic_algorithms(False)
