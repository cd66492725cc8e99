"""The page is served with headers that keep it from anything but its own server."""

import pytest

from tests.sandbox.wires import Wires


async def test_the_page_and_its_parts_are_served_under_a_strict_policy(wires: Wires) -> None:
    for path, kind in (("/", "text/html"), ("/page/app.js", "text/javascript"), ("/page/style.css", "text/css")):
        async with wires.session.get(wires.base_url + path) as response:
            assert (response.status, response.content_type) == (200, kind)
            policy = response.headers["Content-Security-Policy"].split("; ")
            assert response.headers["X-Content-Type-Options"] == "nosniff"
        assert policy[:5] == [
            "default-src 'none'",
            "script-src 'self'",
            "style-src 'self'",
            "connect-src 'self'",
            "img-src 'self' data:",
        ]
        assert "frame-ancestors 'none'" in policy


@pytest.mark.parametrize("name", ["nothing.js", "..%2fserver.py", "%2e%2e%2fserver.py", "people.py", "%2fetc%2fpasswd"])
async def test_nothing_but_the_pages_own_files_is_served(wires: Wires, name: str) -> None:
    async with wires.session.get(f"{wires.base_url}/page/{name}") as response:
        assert response.status in (404, 403)
        assert "import" not in await response.text()
