"""Talks to the server with stomp.py and prints what happened as one line of JSON."""

import json
import sys
import threading

import stomp
from stomp.adapter.ws import WSStompConnection

PORT = int(sys.argv[1])


class Recorder(stomp.ConnectionListener):
    def __init__(self):
        self.events = []
        self.changed = threading.Condition()

    def note(self, *event):
        with self.changed:
            self.events.append(event)
            self.changed.notify_all()

    def on_connected(self, frame):
        self.note("connected", frame.headers["version"])

    def on_message(self, frame):
        self.note("message", frame.body, frame.headers.get("x-key"), frame.headers.get("ack"))

    def on_receipt(self, frame):
        self.note("receipt", frame.headers["receipt-id"])

    def on_error(self, frame):
        self.note("error", frame.headers["message"], frame.headers.get("receipt-id"))

    def on_heartbeat(self):
        self.note("heartbeat")

    def on_heartbeat_timeout(self):
        self.note("heartbeat timeout")

    def on_disconnected(self):
        self.note("disconnected")

    def wait(self, condition):
        with self.changed:
            if not self.changed.wait_for(lambda: condition(self.events), timeout=10):
                raise TimeoutError(json.dumps(self.events))
            return [event for event in self.events if condition([event])]

    def wait_for(self, *event):
        return self.wait(lambda events: any(seen[: len(event)] == event for seen in events))


recorder = Recorder()
connection = WSStompConnection([("127.0.0.1", PORT)], ws_path="/stomp", heartbeats=(200, 200))
connection.set_listener("recorder", recorder)
connection.connect("kim", "a:b\\c", wait=True)

connection.subscribe("/room", id="7", ack="client-individual")
connection.send("/room", "모각공", headers={"x-key": "가:나\n\\다", "receipt": "r:1"})
recorder.wait_for("receipt", "r:1")
recorder.wait_for("message", "모각공")
acknowledgement = next(event[3] for event in recorder.events if event[0] == "message")
connection.ack(acknowledgement)

transaction = connection.begin()
connection.send("/room", "aborted", transaction=transaction)
connection.abort(transaction)
transaction = connection.begin()
connection.send("/room", "committed", transaction=transaction)
connection.commit(transaction)
recorder.wait_for("message", "committed")
connection.nack(next(event[3] for event in recorder.events if event[:2] == ("message", "committed")))

connection.send("/room", "no", headers={"receipt": "r:2"})
recorder.wait_for("error", "refused", "r:2")
recorder.wait(lambda events: sum(event[0] == "heartbeat" for event in events) >= 5 or len(events) == 1)
connection.unsubscribe("7")
connection.disconnect(receipt="bye")
recorder.wait_for("receipt", "bye")
recorder.wait_for("disconnected")

seen = [event[:3] for event in recorder.events if event[0] not in ("heartbeat", "disconnected")]
print(json.dumps(seen, ensure_ascii=False))
