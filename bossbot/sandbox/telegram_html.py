"""HTML → elements, forgivingly: the tree that rich messages in HTML and Markdown are read from."""

from dataclasses import dataclass, field
from html.parser import HTMLParser

_VOID = frozenset({"br", "hr", "img", "input"})
_DEEPEST = 60
"""Elements that are nested deeper hang at this depth: the limit of a message is far lower."""


@dataclass(slots=True)
class Element:
    tag: str
    attributes: dict[str, str] = field(default_factory=dict)
    children: list["Element | str"] = field(default_factory=list)

    def find(self, *tags: str) -> list["Element"]:
        """The elements of these tags below this one, not those within each other."""
        found: list[Element] = []
        for child in self.children:
            if isinstance(child, Element):
                found += [child] if child.tag in tags else child.find(*tags)
        return found


class _Tree(HTMLParser):
    """HTML → elements; end tags without a beginning are left out, beginnings without an end end with their parent."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.root = Element("")
        self._open = [self.root]

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        element = Element(tag, {name: value or "" for name, value in attrs})
        self._open[-1].children.append(element)
        if tag not in _VOID and len(self._open) < _DEEPEST:
            self._open.append(element)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self._open[-1].children.append(Element(tag, {name: value or "" for name, value in attrs}))

    def handle_endtag(self, tag: str) -> None:
        for index in range(len(self._open) - 1, 0, -1):
            if self._open[index].tag == tag:
                del self._open[index:]
                return

    def handle_data(self, data: str) -> None:
        self._open[-1].children.append(data)


def tree(source: str) -> Element:
    """The element that holds everything; any text is HTML."""
    parser = _Tree()
    parser.feed(source)
    parser.close()
    return parser.root
