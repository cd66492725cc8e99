"""`blocks.validate`: Slack's own check of blocks, a view or a message, with nothing posted."""

from bossbot.sandbox.json_types import Json, as_list, as_object
from bossbot.sandbox.slack_call import Call
from bossbot.sandbox.slack_checks import check_blocks, check_view
from bossbot.sandbox.slack_errors import SlackError
from bossbot.sandbox.slack_params import invalid_arguments
from bossbot.sandbox.slack_shape import Complaints

PARTS = ("blocks", "message", "view")


def validate(call: Call) -> Json:
    given = [name for name in PARTS if call.args.has(name)]
    if len(given) != 1:
        raise invalid_arguments("exactly one of blocks, message or view is required")
    name, found = given[0], Complaints()
    value = call.args.json(name, "invalid_arguments")
    if name == "view":
        check_view(as_object(value) or {}, found)
    else:
        blocks = value if name == "blocks" else (as_object(value) or {}).get("blocks")
        check_blocks(as_list(blocks) or [], "/blocks", found)
    if found.messages:
        raise SlackError(f"invalid_{name}", tuple(found.messages))
    return {}


METHODS = {"blocks.validate": validate}
