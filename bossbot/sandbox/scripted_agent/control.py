"""Answers to control requests."""

from .frames import Frame, Frames
from .marks import new_id


def initialized(frames: Frames, request_id: str) -> Frame:
    account = {
        "uid": "scripted",
        "nickname": "scripted",
        "type": "personal",
        "userId": "scripted",
        "userName": "scripted",
        "userNickname": "scripted",
        "token": "scripted-" + new_id(),  # as secret as the real one's: a bot must neither log nor keep it
    }
    response: Frame = {
        "commands": [{"name": "/help", "description": "List what this scripted agent can play"}],
        "output_style": "default",
        "available_output_styles": ["Default"],
        "models": [{"id": f"custom-local:{frames.model}", "name": "Scripted"}],
        "account": account,
        "currentModelId": frames.model,
    }
    return _success(request_id, response)


def interrupted(frames: Frames, request_id: str, reason: str) -> Frame:
    return _success(request_id, {"session_id": frames.session_id, "interrupted": True, "reason": reason})


def refused(request_id: str, error: str) -> Frame:
    response = {"subtype": "error", "request_id": request_id, "error": error}
    return {"type": "control_response", "response": response}


def _success(request_id: str, response: Frame) -> Frame:
    return {
        "type": "control_response",
        "response": {"subtype": "success", "request_id": request_id, "response": response},
    }
