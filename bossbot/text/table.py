"""A table in monospace: columns as wide as their widest cell, wide characters counted as two."""

from collections.abc import Sequence

from bossbot.text.widths import cell_width

_MAX_WIDTH = 64  # columns of a monospace block before a desktop chat wraps; phones wrap earlier in any case


def table(rows: Sequence[Sequence[str]]) -> str:
    """The rows, the first of which is the head, as aligned lines; a table too wide to read so becomes records."""
    count = max((len(row) for row in rows), default=0)
    cells = [[" ".join(cell.split()) for cell in row] + [""] * (count - len(row)) for row in rows]
    widths = [max(cell_width(row[column]) for row in cells) for column in range(count)]
    if sum(widths) + 3 * (count - 1) > _MAX_WIDTH and len(cells) > 1:
        return "\n\n".join(_record(cells[0], row) for row in cells[1:])
    lines = [_line(row, widths) for row in cells]
    return "\n".join([*lines[:1], "─┼─".join("─" * width for width in widths), *lines[1:]])


def _line(row: Sequence[str], widths: Sequence[int]) -> str:
    padded = (cell + " " * (width - cell_width(cell)) for cell, width in zip(row, widths, strict=True))
    return " │ ".join(padded).rstrip()


def _record(head: Sequence[str], row: Sequence[str]) -> str:
    return "\n".join(f"{name}: {cell}" if name else cell for name, cell in zip(head, row, strict=True))
