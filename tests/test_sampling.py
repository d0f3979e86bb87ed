from __future__ import annotations

from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from hansproof.report.headline import audit_title
from hansproof.sampling import sample_benchmark, sample_items, sample_notes, sample_remark
from hansproof.types import CHANGED_COPY, Audit, Benchmark, Card, Item

ITEMS = tuple(Item(str(at), {}, ("a", "b"), 0) for at in range(50))


@given(st.integers(0, 60), st.integers(0, 100))
def test_so_many_in_their_order_and_the_same_for_a_seed(most: int, seed: int) -> None:
    found = sample_items(ITEMS, most, seed)
    assert len(found) == (min(most, 50) or 50)
    assert list(found) == sorted(found, key=ITEMS.index)
    assert found == sample_items(ITEMS, most, seed)


def test_another_seed_draws_others() -> None:
    assert sample_items(ITEMS, 10, 0) != sample_items(ITEMS, 10, 1)


def grouped_benchmark(sizes: dict[str, int], group_size: int) -> Benchmark:
    """Splits of these sizes; the items of a group follow each other, over the ends of splits."""
    items = [
        Item(str(i), {}, ("a", "b"), 0, group=f"g{i // group_size}" if group_size > 1 else None)
        for i in range(sum(sizes.values()))
    ]
    splits = {name: tuple(items.pop(0) for _ in range(size)) for name, size in sizes.items()}
    return Benchmark("mine", splits, card=Card("Mine"))


@given(
    st.dictionaries(st.sampled_from("abc"), st.integers(1, 40), min_size=1),
    st.integers(1, 100),
    st.integers(1, 5),
    st.integers(0, 3),
)
def test_a_sample_keeps_groups_splits_and_their_order(
    sizes: dict[str, int], n: int, group_size: int, seed: int
) -> None:
    whole = grouped_benchmark(sizes, group_size)
    sample = sample_benchmark(whole, n, seed)
    drawn = {item.id for items in sample.splits.values() for item in items}
    groups = {i.group for items in sample.splits.values() for i in items} - {None}
    for name, items in whole.splits.items():
        assert sample.splits[name] == tuple(item for item in items if item.id in drawn)
        assert sample.splits[name]
        assert all(item.id in drawn for item in items if item.group in groups)
    if n >= sum(sizes.values()):
        assert sample is whole


def test_each_split_gives_its_share_of_a_sample() -> None:
    whole = grouped_benchmark({"train": 800, "test": 200}, 1)
    sizes = {name: len(items) for name, items in sample_benchmark(whole, 50).splits.items()}
    assert sizes == {"train": 40, "test": 10}
    assert sample_benchmark(whole, 50) == sample_benchmark(whole, 50)
    assert sample_benchmark(whole, 50, 1).splits != sample_benchmark(whole, 50, 0).splits


def test_a_sample_is_never_taken_for_the_whole() -> None:
    whole = grouped_benchmark({"train": 1500, "test": 500}, 1)
    sample = sample_benchmark(whole, 1200, 3)
    remark = "(a random sample of 1,200 of 2,000 items, seed 3)"
    assert sample.card.title == f"Mine {remark}"
    assert sample_remark(sample.card.title) == remark
    assert sample_notes(sample)[0].startswith(
        "All numbers are those of a random sample of 1,200 of 2,000 items"
    )
    assert not sample_remark(whole.card.title)
    assert sample_notes(whole) == ()


def test_titles_name_a_sample_and_a_changed_copy() -> None:
    whole = grouped_benchmark({"test": 50}, 1)
    copy = replace(whole, card=Card(f"Mine {CHANGED_COPY}"))
    sample = sample_benchmark(copy, 10)
    audit = Audit(3, "", "mine", {}, {"test": 10}, sample.card, (), (), {})
    remark = "(a random sample of 10 of 50 items, seed 0)"
    assert audit_title(audit) == f"mine:test {CHANGED_COPY} {remark}"
    assert audit_title(replace(audit, card=copy.card)) == f"mine:test {CHANGED_COPY}"
    assert audit_title(replace(audit, card=whole.card)) == "mine:test"
