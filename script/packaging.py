"""Builds the zip that the functions on AWS run: everything that they import, and nothing else.

The same sources give the same bytes: names are sorted, and no file has its own time.
"""

import argparse
import ast
import importlib.metadata
import importlib.util
import os
import re
import shutil
import subprocess
import sys
import tempfile
import zipfile
from collections.abc import Iterable, Iterator
from pathlib import Path

from frontdesk.values import Frozen
from script.aws_template import write_template
from script.packaged_services import shorten_descriptions
from script.packaged_templates import compile_templates

ROOT = Path(__file__).parents[1]
SOURCE = ROOT / "src"
LOCK = ROOT / "requirements.txt"
BUILD = ROOT / "build"
#: The package with the handlers; everything that it imports is included.
HANDLERS = "frontdesk.aws"

#: Modules that run as separate processes.
STARTED = ("frontdesk.reading.pdf_worker",)

#: Modules for one machine only. The list of desks names some of them, but no function loads them.
ON_ONE_MACHINE = (
    "channels.smtp",
    "cli",
    "embedded",
    "simulate",
    "store.sqlite",
    "wiring.waitlist.one_machine",
)

#: The dependencies of the functions, direct and indirect. The runtime already has boto3.
PACKAGES = (
    "anyio",
    "et-xmlfile",
    "idna",
    "jinja2",
    "markupsafe",
    "msgspec",
    "openpyxl",
    "phonenumberslite",
    "pypdf",
    "python-multipart",
    "ruamel-yaml",
    "segno",
    "starlette",
    "typing-extensions",
    "tzdata",
)
#: Files of packages that no function needs.
LEFT_OUT = re.compile(
    r"__pycache__/|\.pyc$|\.pyi$|py\.typed$|^\.\./|(^|/)tests?/|^anyio/(pytest_plugin|_backends/_trio)"
    r"|\.data/|\.dist-info/(?!METADATA$|licenses/)"
)
#: The earliest time that a zip can store.
NO_TIME = (1980, 1, 1, 0, 0, 0)
#: The folder of the code at run time; tracebacks name it.
TASK_ROOT = "/var/task"
LARGEST_BYTES = 50_000_000


class Target(Frozen):
    """Describes the machine that runs the code: this machine if `platform` is empty."""

    python: str
    platform: str = ""

    @property
    def is_this_python(self) -> bool:
        return self.python == f"{sys.version_info.major}.{sys.version_info.minor}"


def main() -> int:
    parser = argparse.ArgumentParser("script/package", description=__doc__)
    parser.add_argument("--local", action="store_true", help="for this machine, from what is here")
    parser.add_argument("--python", default="3.14", help="the version that will run it")
    parser.add_argument("--arch", default="aarch64", choices=["aarch64", "x86_64"])
    parser.add_argument("--build", type=Path, default=BUILD, help="the folder to build in")
    args = parser.parse_args()
    here = f"{sys.version_info.major}.{sys.version_info.minor}"
    target = Target(here) if args.local else Target(args.python, args.arch)
    path = package(args.build, target)
    size, unpacked = path.stat().st_size, unpacked_bytes(path)
    print(f"{path.name}: {size / 1e6:.1f} MB, {unpacked / 1e6:.1f} MB unpacked")
    return 0 if size < LARGEST_BYTES else 1


def package(build: Path, target: Target) -> Path:
    """Writes `frontdesk-lambda/`, its zip and the template to the folder."""
    folder = build / "frontdesk-lambda"
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    modules = needed_modules(HANDLERS)
    for module in modules:
        copy_module(module, folder)
    if target.platform:
        add_wheels(folder, target)
    else:
        add_installed(folder)
    code = [path for module in modules if (path := file_of(module))]
    shorten_descriptions(code, folder / "frontdesk" / "aws" / "services")
    compile_templates(SOURCE, folder / "frontdesk" / "web" / "compiled")
    if target.is_this_python:
        compile_all(folder)
    path = build / "frontdesk-lambda.zip"
    write_zip(folder, path)
    write_template(build / "template.json")
    return path


# Our own modules


def needed_modules(package: str) -> list[str]:
    """Returns all modules of the package, and those of ours that they import, lazily or not."""
    todo = [
        package,
        *(module_in(path) for path in (SOURCE / slashed(package)).rglob("*.py")),
        *STARTED,
    ]
    seen: set[str] = set()
    while todo:
        name = todo.pop()
        if name in seen or file_of(name) is None or is_on_one_machine(name):
            continue
        seen.add(name)
        todo.extend(imported_by(name))
        if "." in name:
            todo.append(name.rpartition(".")[0])
    return sorted(seen)


def is_on_one_machine(module: str) -> bool:
    places = (f"frontdesk.{place}." for place in ON_ONE_MACHINE)
    return any(f"{module}.".startswith(place) for place in places)


def imported_by(module: str) -> Iterator[str]:
    path = file_of(module)
    assert path is not None
    for node in statements(ast.parse(path.read_text("utf-8"))):
        match node:
            case ast.Import():
                yield from (each.name for each in node.names)
            case ast.ImportFrom(module=str(origin), level=0):
                yield origin
                yield from (f"{origin}.{each.name}" for each in node.names)
            case _:
                pass


def statements(tree: ast.AST) -> Iterator[ast.AST]:
    """Yields all nodes except those only for type checkers."""
    if isinstance(tree, ast.If) and ast.unparse(tree.test).endswith("TYPE_CHECKING"):
        return
    yield tree
    for child in ast.iter_child_nodes(tree):
        yield from statements(child)


def file_of(module: str) -> Path | None:
    """Returns the file of a module of ours; that of a package is its `__init__.py`."""
    place = SOURCE / slashed(module)
    candidates = (place / "__init__.py", place.with_name(f"{place.name}.py"))
    return next((each for each in candidates if each.is_file()), None)


def module_in(path: Path) -> str:
    return ".".join(path.relative_to(SOURCE).with_suffix("").parts).removesuffix(".__init__")


def slashed(module: str) -> str:
    return module.replace(".", "/")


def copy_module(module: str, folder: Path) -> None:
    """Copies a module with its templates, pictures and tables."""
    path = file_of(module)
    assert path is not None
    files = [path, *belongings(path.parent)] if path.name == "__init__.py" else [path]
    for each in files:
        place = folder / each.relative_to(SOURCE)
        place.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(each, place)


def belongings(package: Path) -> Iterator[Path]:
    """Yields files that are not code, except those of inner packages."""
    for path in sorted(package.iterdir()):
        if path.is_dir():
            if path.name != "__pycache__" and not (path / "__init__.py").exists():
                yield from belongings(path)
        elif path.suffix not in (".py", ".pyc") and path.name != "py.typed":
            yield path


# Packages of others


def add_installed(folder: Path) -> None:
    """Copies packages from this environment, which has the locked versions."""
    for name in PACKAGES:
        for file in importlib.metadata.files(name) or ():
            if not LEFT_OUT.search(file.as_posix()):
                place = folder / file.as_posix()
                place.parent.mkdir(parents=True, exist_ok=True)
                shutil.copyfile(str(file.locate()), place)


def add_wheels(folder: Path, target: Target) -> None:
    """Downloads the locked wheels for another machine; pip compares their hashes."""
    with tempfile.TemporaryDirectory() as temporary:
        place = Path(temporary)
        (place / "lock.txt").write_text(locked(PACKAGES), "utf-8")
        subprocess.run([*download(target), "-r", "lock.txt", "-d", "."], cwd=place, check=True)
        for wheel in sorted(place.glob("*.whl")):
            with zipfile.ZipFile(wheel) as archive:
                names = [name for name in archive.namelist() if not LEFT_OUT.search(name)]
                archive.extractall(folder, [name for name in names if not name.endswith("/")])


def download(target: Target) -> list[str]:
    platforms = (f"manylinux2014_{target.platform}", f"manylinux_2_28_{target.platform}")
    abis = (f"cp{target.python.replace('.', '')}", "abi3", "none")
    return [
        *(sys.executable, "-m", "pip", "download", "--quiet", "--disable-pip-version-check"),
        *("--no-deps", "--only-binary", ":all:", "--require-hashes"),
        *("--implementation", "cp", "--python-version", target.python),
        *(word for platform in platforms for word in ("--platform", platform)),
        *(word for abi in abis for word in ("--abi", abi)),
    ]


def locked(names: Iterable[str]) -> str:
    """Returns their part of the lock file, without its conditions, which are about this machine."""
    entries = re.split(r"\n(?=\S)", LOCK.read_text("utf-8"))
    by_name = {entry.partition("==")[0]: entry for entry in entries if "==" in entry}
    return "\n".join(re.sub(r" ; [^\\]*", " ", by_name[name]) for name in names) + "\n"


# Composing the zip


def compile_all(folder: Path) -> None:
    """Compiles all code: the folder is read-only on AWS, so every cold start would compile it
    again.

    A new process with a fixed hash seed does it, so that the bytes do not depend on this process.
    """
    command = [sys.executable, "-m", "compileall", "-q", "--invalidation-mode", "unchecked-hash"]
    places = ["-s", str(folder), "-p", TASK_ROOT, str(folder)]
    environment = {**os.environ, "PYTHONHASHSEED": "0", "PYTHONOPTIMIZE": ""}
    subprocess.run([*command, *places], env=environment, check=True)


def write_zip(folder: Path, path: Path) -> None:
    files = sorted(each for each in folder.rglob("*") if each.is_file())
    with zipfile.ZipFile(path, "w") as archive:
        for each in files:
            entry = zipfile.ZipInfo(each.relative_to(folder).as_posix(), NO_TIME)
            entry.external_attr = 0o644 << 16
            entry.compress_type = zipfile.ZIP_DEFLATED
            archive.writestr(entry, each.read_bytes(), compresslevel=9)


def unpacked_bytes(path: Path) -> int:
    with zipfile.ZipFile(path) as archive:
        return sum(each.file_size for each in archive.infolist())


if __name__ == "__main__":
    sys.exit(main())
