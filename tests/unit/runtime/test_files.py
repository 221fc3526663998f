"""Files that are whole or absent: what stays of the file that is replaced, and of the link that leads to it."""

import errno
import os
from unittest.mock import Mock

import pytest

from fastmatch.runtime.files import new_bytes, new_text, remove, take_place

from support.refusal import fails

needs_permissions = pytest.mark.skipif(os.name == "nt", reason="other permissions there")
#: The longest names that most file systems have, of 255 bytes.
LONG = ["x" * 255, "é" * 127, "😀" * 63]


def write(path, text: str = "new") -> None:
    with new_text(path) as file:
        file.write(text)


@pytest.fixture
def umask():
    """Sets the umask, until the test is over."""
    old = os.umask(0o022)
    yield os.umask
    os.umask(old)


@pytest.mark.parametrize("name", LONG)
def test_a_name_as_long_as_a_name_can_be(tmp_path, name):
    write(tmp_path / name)
    assert (tmp_path / name).read_text() == "new"
    caught = fails(OSError, "File name too long", write, tmp_path / (name + "xxxx"))
    assert caught.filename == str(tmp_path / (name + "xxxx")) and [each.name for each in tmp_path.iterdir()] == [name]


def test_no_name(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(FileNotFoundError) as caught, new_bytes(""):
        pass
    assert caught.value.filename == "" and not list(tmp_path.iterdir())


@needs_permissions
def test_a_link_is_followed(tmp_path):
    (tmp_path / "far").mkdir()
    (tmp_path / "far" / "link").symlink_to("real")
    (tmp_path / "link").symlink_to("far/link")
    for text in ("into nothing yet", "over what is there"):
        write(tmp_path / "link", text)
        assert (tmp_path / "far" / "real").read_text() == text
    assert os.readlink(tmp_path / "link") == "far/link"
    assert sorted(each.name for each in (tmp_path / "far").iterdir()) == ["link", "real"]


@needs_permissions
def test_links_in_a_circle(tmp_path):
    (tmp_path / "one").symlink_to("two")
    (tmp_path / "two").symlink_to("one")
    caught = fails(OSError, "symbolic links", write, tmp_path / "one")
    assert (caught.errno, caught.filename) == (errno.ELOOP, str(tmp_path / "one"))
    assert os.readlink(tmp_path / "one") == "two"


@needs_permissions
@pytest.mark.parametrize("old", [0o640, 0o666, 0o600, 0o755, 0o444])
@pytest.mark.parametrize("mask", [0o077, 0o022, 0o000])
def test_permissions_stay(tmp_path, umask, old, mask):
    path = tmp_path / "file"
    path.write_text("old")
    path.chmod(old)
    umask(mask)
    with new_text(path) as file:
        # nobody may read while it is written who may not read it afterwards
        assert os.fstat(file.fileno()).st_mode & 0o777 & ~(old | 0o600) == 0
        file.write("new")
    assert (path.read_text(), path.stat().st_mode & 0o777) == ("new", old)
    write(tmp_path / "fresh")
    assert (tmp_path / "fresh").stat().st_mode & 0o777 == 0o666 & ~mask


@needs_permissions
@pytest.mark.parametrize("may", [True, False])
def test_the_group_stays_or_gets_nothing(tmp_path, monkeypatch, may):
    """What one group may do is not given to another one, to which the user belongs."""
    path, changed = tmp_path / "file", []
    path.write_text("old")
    path.chmod(0o664)
    (tmp_path / "new").write_text("new")
    real = os.stat

    def of_a_group(name, **options):
        found = real(name, **options)
        group = 4242 if str(name) == str(path) or changed else found.st_gid
        return os.stat_result([*found[:5], group, *found[6:]])

    def chown(name, owner, group):
        if not may or owner != -1:
            raise PermissionError(errno.EPERM, "no")
        changed.append((str(name), group))

    monkeypatch.setattr(os, "stat", of_a_group)
    monkeypatch.setattr(os, "chown", chown)
    take_place(str(tmp_path / "new"), str(path))
    assert real(path).st_mode & 0o777 == (0o664 if may else 0o604)
    assert changed == ([(str(tmp_path / "new"), 4242)] if may else [])


@needs_permissions
def test_a_file_system_without_permissions(tmp_path, monkeypatch):
    for name in ("chmod", "chown"):
        monkeypatch.setattr(os, name, Mock(side_effect=PermissionError(errno.EPERM, "no")))
    (tmp_path / "file").write_text("old")
    write(tmp_path / "file")
    assert (tmp_path / "file").read_text() == "new"


def test_what_is_removed(tmp_path):
    (tmp_path / "folder" / "in").mkdir(parents=True)
    (tmp_path / "file").touch()
    for name in ("folder", "file", "nothing"):
        remove(str(tmp_path / name))
    assert not list(tmp_path.iterdir())


@needs_permissions
def test_of_a_link_the_link_is_removed(tmp_path):
    (tmp_path / "folder").mkdir()
    for target in ("folder", "nothing"):
        (tmp_path / "link").symlink_to(target)
        remove(str(tmp_path / "link"))
    assert [each.name for each in tmp_path.iterdir()] == ["folder"]
