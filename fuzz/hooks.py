"""What schemathesis cannot know from the OpenAPI document: who calls, and what is theirs."""

import json
import random
import threading
import uuid
from urllib.request import Request, urlopen

import schemathesis

PASSWORD = "Blue-lamp-42"
# Some calls end the log-in or the account that makes them: everybody calls for so long only.
SECONDS_PER_LEARNER = 3

choices = random.Random(11)
own = {}
lock = threading.Lock()


def call(url, body=None, token=None):
    headers = {"content-type": "application/json"} if body is not None else {}
    if token:
        headers["authorization"] = f"Bearer {token}"
    data = json.dumps(body).encode() if body is not None else None
    with urlopen(Request(url, data=data, headers=headers, method="POST"), timeout=10) as answer:
        return json.load(answer)


@schemathesis.auth(refresh_interval=SECONDS_PER_LEARNER)
class NewLearner:
    """Signs up and seats a learner, whose token the next requests carry."""

    def get(self, case, context):
        site = case.operation.base_url
        name = uuid.UUID(int=choices.getrandbits(128)).hex[:12]
        account = {"email": f"{name}@example.org", "password": PASSWORD}
        consents = {"age": True, "terms": True, "privacy": True}
        created = call(f"{site}/api/auth/signup", {**account, "nickname": f"n{name}", "consents": consents})
        token = call(f"{site}/api/auth/login", account)["token"]
        user_id = created["userId"]
        entered = call(f"{site}/api/study-rooms/enter?userId={user_id}", token=token)
        room_id = entered["roomId"]
        with lock:
            own.update(
                userId=user_id,
                identity=str(user_id),
                roomId=room_id,
                roomName=str(room_id),
                **{k: account[k] for k in ("email",)},
                currentPassword=PASSWORD,
                password=PASSWORD,
            )
        return token

    def set(self, case, data, context):
        case.headers = {**(case.headers or {}), "Authorization": f"Bearer {data}"}


@schemathesis.hook
def before_call(context, case, kwargs):
    """Names what is the caller's own in two of three requests: others are refused for good."""
    for part in (case.path_parameters, case.query, case.body):
        if not isinstance(part, dict):
            continue
        for field, value in own.items():
            if field in part and choices.random() < 2 / 3:
                part[field] = value
