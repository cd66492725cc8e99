"""aiogram, imported without building the schemas of all its types: about a third of the time, and the rest when needed.

At the end of its import, `aiogram.types` builds the pydantic schema of each of its more than 400 types, though it asks
for deferred building, because the names that its annotations use are in none of its modules. Here that step is left
out, and the names are put where pydantic looks for them, so that a type's schema is built when the type is first used.
"""

import importlib
import sys
import threading
from typing import Any

from pydantic import BaseModel

_ONE_AT_A_TIME = threading.Lock()


def import_aiogram() -> None:
    """Imports aiogram. Does nothing more where it has been imported before, or builds its types in another way."""
    with _ONE_AT_A_TIME:
        if "aiogram" not in sys.modules:
            names = _import_types()
            for name, module in list(sys.modules.items()):
                if name.startswith("aiogram.types."):
                    for missing in names.keys() - vars(module).keys():
                        setattr(module, missing, names[missing])


def _import_types() -> dict[str, Any]:
    """Imports `aiogram.types`; the names that it would have built its types with."""
    names: dict[str, Any] = {}
    build = BaseModel.__dict__["model_rebuild"]

    def note_names(cls: type[BaseModel], *args: Any, **options: Any) -> bool | None:
        namespace = options.get("_types_namespace")
        if not cls.__module__.startswith("aiogram.types.") or namespace is None:
            # One frame further than the caller's caller, where pydantic would look for names.
            options["_parent_namespace_depth"] = options.get("_parent_namespace_depth", 2) + 1
            built: bool | None = build.__func__(cls, *args, **options)
            return built
        names.update(namespace)
        return None

    BaseModel.model_rebuild = classmethod(note_names)  # type: ignore[assignment]
    try:
        importlib.import_module("aiogram.types")
    finally:
        BaseModel.model_rebuild = build  # type: ignore[method-assign]
    return names
