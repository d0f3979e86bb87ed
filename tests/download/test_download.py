"""Finding and downloading files, against a server on this machine."""

from __future__ import annotations

import gzip
import hashlib
import io
import os
import random
import stat
import tarfile
import threading
import zipfile
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Literal

import pytest

from hansproof import download
from hansproof.download import Archive, DataFile, archive, fetch_file
from hansproof.errors import BadInput, HansproofError


@dataclass
class Site:
    """What the server says, by path; and what it was asked."""

    url: str = ""
    files: dict[str, bytes] = field(default_factory=dict)
    moved: dict[str, str] = field(default_factory=dict)
    short: set[str] = field(default_factory=set)  # broken off half way
    asked: list[str] = field(default_factory=list)


@pytest.fixture
def site() -> Iterator[Site]:
    site = Site()

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            site.asked.append(self.path)
            if self.path in site.moved:
                self.send_response(302)
                self.send_header("Location", site.moved[self.path])
                self.end_headers()
            elif self.path in site.files:
                data = site.files[self.path]
                self.send_response(200)
                self.send_header("Content-Length", str(len(data)))
                self.end_headers()
                self.wfile.write(data[: len(data) // 2] if self.path in site.short else data)
            else:
                self.send_error(404)

        def log_message(self, format: str, *args: object) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever, args=(0.01,))
    thread.start()
    site.url = f"http://127.0.0.1:{server.server_address[1]}"
    yield site
    server.shutdown()
    server.server_close()
    thread.join()


@pytest.fixture(autouse=True)
def cache(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.setenv("NO_PROXY", "*")
    monkeypatch.delenv("HANSPROOF_DATA", raising=False)
    return tmp_path / "cache" / "hansproof"


def left(folder: Path) -> list[str]:
    return sorted(str(p.relative_to(folder)) for p in folder.rglob("*") if p.is_file())


def sha256(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


def test_download_then_cache(site: Site, cache: Path) -> None:
    site.files["/a.txt"] = b"hello" * 100_000
    source = DataFile("b/a.txt", f"{site.url}/a.txt", sha256(site.files["/a.txt"]))
    path = download.find_file(source)
    assert Path(path) == cache / "b" / "a.txt"
    assert Path(path).read_bytes() == site.files["/a.txt"]
    assert download.is_downloaded(path)
    assert download.find_file(source) == path
    assert (site.asked, left(cache)) == (["/a.txt"], ["b/a.txt"])


def test_the_users_folders_go_first(
    site: Site, cache: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    source = DataFile("b/a.txt", f"{site.url}/a.txt")
    for folder in (
        tmp_path / "data" / "b",
        tmp_path / "mine" / "b",
        tmp_path / "flat",
        cache / "b",
    ):
        folder.mkdir(parents=True)
        (folder / "a.txt").touch()
    assert download.find_file(source) == str(cache / "b/a.txt")
    monkeypatch.setenv("HANSPROOF_DATA", str(tmp_path / "data"))
    assert download.find_file(source) == str(tmp_path / "data/b/a.txt")
    assert not download.is_downloaded(download.find_file(source))
    assert download.find_file(source, str(tmp_path / "mine")) == str(tmp_path / "mine/b/a.txt")
    assert download.find_file(source, str(tmp_path / "flat")) == str(tmp_path / "flat/a.txt")
    with pytest.raises(BadInput, match="no such file"):
        download.find_file(source, str(tmp_path))
    assert site.asked == []


def refused(source: DataFile) -> str:
    with pytest.raises(HansproofError) as caught:
        download.find_file(source)
    assert "\n" not in str(caught.value)
    return str(caught.value)


def test_broken_off(site: Site, cache: Path) -> None:
    site.files["/a.txt"] = b"x" * 1000
    site.short.add("/a.txt")
    error = refused(DataFile("a.txt", f"{site.url}/a.txt"))
    assert "connection lost after 500 of 1000 bytes; try again, or put" in error
    assert left(cache) == []


def test_wrong_checksum(site: Site, cache: Path) -> None:
    site.files["/a.txt"] = b"x"
    error = refused(DataFile("a.txt", f"{site.url}/a.txt", sha256(b"y")))
    assert f"wrong sha256 {sha256(b'x')[:12]}..., expected {sha256(b'y')[:12]}..." in error
    assert left(cache) == []


def test_too_large(site: Site, cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(fetch_file, "LIMIT", 2**20)
    site.files["/a.txt"] = b"x" * (2**20 + 1)
    assert "larger than 1 MiB" in refused(DataFile("a.txt", f"{site.url}/a.txt"))
    assert left(cache) == []


def test_not_there(site: Site, cache: Path) -> None:
    assert "404 Not Found" in refused(DataFile("a.txt", f"{site.url}/a.txt"))
    assert left(cache) == []


def test_nobody_answers(cache: Path) -> None:
    error = refused(DataFile("a.txt", "http://127.0.0.1:1/a.txt"))
    assert "cannot be downloaded" in error
    assert left(cache) == []


def test_redirects(site: Site, cache: Path, tmp_path: Path) -> None:
    secret = tmp_path / "secret"
    secret.write_text("secret")
    site.files["/a.txt"] = b"x"
    site.moved = {
        "/ok": f"{site.url}/a.txt",
        "/file": secret.as_uri(),
        "/ftp": "ftp://127.0.0.1/a.txt",
        "/plain": "http://example.org/a.txt",
        "/round": f"{site.url}/round",
    }
    assert Path(download.find_file(DataFile("ok.txt", f"{site.url}/ok"))).read_bytes() == b"x"
    assert "is not allowed" in refused(DataFile("a", f"{site.url}/file"))
    assert "only https addresses can be downloaded" in refused(DataFile("a", f"{site.url}/ftp"))
    assert "only https addresses can be downloaded" in refused(DataFile("a", f"{site.url}/plain"))
    assert "redirect" in refused(DataFile("a", f"{site.url}/round"))
    assert left(cache) == ["ok.txt"]


@pytest.mark.parametrize(
    "url", ["http://example.org/a", "ftp://127.0.0.1/a", "file:///etc/passwd", "a.txt"]
)
def test_only_https(url: str, cache: Path) -> None:
    assert "only https addresses can be downloaded" in refused(DataFile("a", url))


def test_github() -> None:
    source = download.github_file("c/d.txt", "a/b", "x/d.txt", "1234", "5678")
    url = "https://raw.githubusercontent.com/a/b/1234/x/d.txt"
    assert source == DataFile("c/d.txt", url, "5678")


def zipped(members: dict[str, bytes], link: bool = False) -> bytes:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as archive:
        for name, data in members.items():
            info = zipfile.ZipInfo(name)
            info.compress_type = zipfile.ZIP_DEFLATED
            if link:
                info.external_attr = (stat.S_IFLNK | 0o777) << 16
            archive.writestr(info, data)
    return file.getvalue()


def tarred(
    members: dict[str, bytes],
    kind: bytes = tarfile.REGTYPE,
    mode: Literal["w:gz", "w:bz2", "w:xz"] = "w:bz2",
) -> bytes:
    file = io.BytesIO()
    with tarfile.open(fileobj=file, mode=mode) as archive:
        for name, data in members.items():
            info = tarfile.TarInfo(name)
            info.type, info.size, info.linkname = kind, len(data), "/etc/passwd"
            archive.addfile(info, io.BytesIO(data))
    return file.getvalue()


def archived(site: Site, data: bytes) -> DataFile:
    site.files["/a.zip"] = data
    wanted = {"in/x.txt": "b/x.txt", "in/y.txt": "b/y.txt"}
    return DataFile("b/x.txt", Archive(f"{site.url}/a.zip", wanted))


GOOD = {"in/x.txt": b"x", "in/y.txt": b"y", "in/rest.txt": b"z"}


@pytest.mark.parametrize("data", [zipped(GOOD), tarred(GOOD)], ids=["zip", "tar"])
def test_archive(site: Site, cache: Path, data: bytes) -> None:
    source = archived(site, data)
    assert Path(download.find_file(source)).read_bytes() == b"x"
    assert Path(download.find_file(DataFile("b/y.txt", source.origin))).read_bytes() == b"y"
    assert (site.asked, left(cache)) == (["/a.zip"], ["b/x.txt", "b/y.txt"])


def test_archive_with_a_checksum(site: Site, cache: Path) -> None:
    source = archived(site, zipped(GOOD))
    assert isinstance(source.origin, Archive)
    pinned = replace(source.origin, sha256=sha256(site.files["/a.zip"]))
    changed = replace(source.origin, sha256=sha256(b"another archive"))
    assert "/a.zip: wrong sha256 " in refused(replace(source, origin=changed))
    assert left(cache) == []
    assert Path(download.find_file(replace(source, origin=pinned))).read_bytes() == b"x"


def test_the_folder_of_one_benchmark(tmp_path: Path) -> None:
    (tmp_path / "test").mkdir()
    (tmp_path / "test" / "x.csv").touch()
    source = DataFile("b/test/x.csv", "https://x.org/x.csv")
    assert download.find_file(source, str(tmp_path)) == str(tmp_path / "test" / "x.csv")
    with pytest.raises(BadInput, match="no such file"):
        download.find_file(DataFile("x.csv", "https://x.org/x.csv"), str(tmp_path))


@pytest.mark.parametrize("name", ["../up.txt", "/etc/up.txt", "in/../../up.txt", "C:\\up.txt"])
@pytest.mark.parametrize("pack", [zipped, tarred])
def test_archive_that_climbs_out(site: Site, cache: Path, pack: object, name: str) -> None:
    assert callable(pack)
    error = refused(archived(site, pack({**GOOD, name: b"!"})))
    assert "would be unpacked outside the target folder: refused" in error
    assert left(cache) == []


@pytest.mark.parametrize(
    "data",
    [
        zipped({"in/x.txt": b"/etc/passwd", "in/y.txt": b"y"}, link=True),
        tarred({"in/x.txt": b"", "in/y.txt": b""}, tarfile.SYMTYPE),
        tarred({"in/x.txt": b"", "in/y.txt": b""}, tarfile.LNKTYPE),
    ],
    ids=["zip", "symbolic", "hard"],
)
def test_archive_with_a_link(site: Site, cache: Path, data: bytes) -> None:
    assert "is a link: refused" in refused(archived(site, data))
    assert left(cache) == []


def test_other_broken_archives(site: Site, cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert "broken archive" in refused(archived(site, b"no archive"))
    assert "broken archive" in refused(archived(site, tarred(GOOD)[:-20]))
    assert "does not contain in/y.txt" in refused(archived(site, zipped({"in/x.txt": b"x"})))
    monkeypatch.setattr(archive, "LIMIT", 2**20)
    bomb = {**GOOD, "in/x.txt": b"0" * (2**20 + 1)}
    assert "not a file of at most 1 MiB" in refused(archived(site, zipped(bomb)))
    assert left(cache) == []


def edited(data: bytes, mark: bytes, at: int, new: bytes) -> bytes:
    """Bytes with some changed, counted from where a mark stands first."""
    start = data.index(mark) + at
    return data[:start] + new + data[start + len(new) :]


def spoilt(data: bytes, at: int) -> bytes:
    """Bytes with eight of them turned round."""
    at %= len(data)
    return data[:at] + bytes(byte ^ 255 for byte in data[at : at + 8]) + data[at + 8 :]


# more than one block of every method, so that the beginning can still be read
NOISE = random.Random(0).randbytes(10**6)
TAR = gzip.decompress(tarred(GOOD, mode="w:gz"))
ZIP, LOCAL, CENTRAL = zipped({**GOOD, "in/x.txt": b"abc" * 100}), b"PK\3\4", b"PK\1\2"


@pytest.mark.parametrize(
    ("data", "what"),
    [
        (edited(ZIP, b"in/x.txt", 8, b"\xff" * 4), "Error -3 while decompressing"),
        (edited(edited(ZIP, CENTRAL, 8, b"\1"), LOCAL, 6, b"\1"), "encrypted"),
        (edited(ZIP, CENTRAL, 10, b"\x63"), "compression method is not supported"),
        (edited(edited(ZIP, CENTRAL, 9, b"\x08"), CENTRAL, 46, b"\xff"), "can't decode byte"),
        (spoilt(gzip.compress(TAR[:1024]), -8) + gzip.compress(TAR[1024:]), "CRC check failed"),
        (spoilt(tarred({**GOOD, "in/x.txt": NOISE}, mode="w:bz2"), -9000), "Invalid data stream"),
        (
            spoilt(tarred({**GOOD, "in/x.txt": NOISE.hex().encode()}, mode="w:xz"), -200_000),
            "Corrupt input data",
        ),
        (tarred(GOOD)[:20], "file could not be opened successfully"),
    ],
    ids=["zlib", "encrypted", "method", "name", "gzip", "bz2", "xz", "short"],
)
def test_archives_with_wrong_bytes(site: Site, cache: Path, data: bytes, what: str) -> None:
    error = refused(archived(site, data))
    assert "a.zip: broken archive: " in error
    assert what in error
    assert left(cache) == []


def test_a_member_that_breaks_while_it_is_written(site: Site, cache: Path) -> None:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_BZIP2) as archive:
        for name, content in GOOD.items():
            archive.writestr(name, content * 100)
    error = refused(archived(site, edited(file.getvalue(), b"BZh", 4, b"\0" * 6)))
    assert "a.zip: broken archive: Invalid data stream" in error
    assert left(cache) == []


def test_progress_only_on_a_terminal(
    site: Site, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    site.files["/a.txt"] = b"x" * 100_000
    download.find_file(DataFile("quiet.txt", f"{site.url}/a.txt"))
    assert capfd.readouterr() == ("", "")
    monkeypatch.setattr("sys.stderr.isatty", lambda: True)
    download.find_file(DataFile("loud.txt", f"{site.url}/a.txt"))
    out, err = capfd.readouterr()
    assert out == ""
    assert "a.txt" in err
    assert os.path.exists(os.path.join(download.cache_dir(), "loud.txt"))
