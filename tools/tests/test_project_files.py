"""project_files lists what git would, and works without git too."""

import subprocess

from project_files import project_files

FILES = {".gitignore": "/out/\n", "src/a.cc": "", "out/b.cc": "", "build/c.cc": "", "README.md": ""}


def names(root, *suffixes):
    return [path.as_posix() for path in project_files(root, *suffixes)]


def test_without_git_leaves_out_what_is_built(project):
    assert names(project(FILES), ".cc") == ["out/b.cc", "src/a.cc"]


def test_with_git_leaves_out_what_it_ignores(project):
    root = project(FILES)
    subprocess.run(["git", "init", "-q", str(root)], check=True)
    assert names(root, ".cc") == ["build/c.cc", "src/a.cc"]
    assert names(root) == [".gitignore", "README.md", "build/c.cc", "src/a.cc"]


def test_deleted_files_are_not_listed(project):
    root = project(FILES)
    subprocess.run(["git", "init", "-q", str(root)], check=True)
    subprocess.run(["git", "add", "src/a.cc"], cwd=root, check=True)
    (root / "src/a.cc").unlink()
    assert "src/a.cc" not in names(root)
