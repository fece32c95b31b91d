"""What an app does that was written with pywa for Meta's platform: only its address and its token are changed.

Reads the world on standard input, and prints what it did and what went wrong, as JSON.
"""

import json
import logging
import pathlib
import queue
import sys
import tempfile
import threading

import httpx
from flask import Flask
from pywa import WhatsApp
from pywa.errors import WhatsAppError
from werkzeug.serving import make_server

world = json.load(sys.stdin)
logging.getLogger("werkzeug").setLevel(logging.ERROR)
done, faults = [], []
secret, verify_token = "an-app-secret-of-the-target", "a-verify-token"
text = "Olá, 世界 👋 <a href='/x?y=1&z=2'>"


def check(what, condition):
    done.append(what)
    if not condition:
        faults.append(f"pywa: {what}")


def client(token, **more):
    session = httpx.Client(timeout=60)
    made = WhatsApp(phone_id=world["phone_number_id"], waba_id=world["waba_id"], token=token, session=session, **more)
    # Its constructor sets Meta's address in the session that it was given.
    session.base_url = f"{world['base_url']}/v2/graph/v25.0"
    return made


app = Flask("receiver")
statuses, messages = queue.Queue(), queue.Queue()
app.after_request(lambda response: (statuses.put(response.status_code), response)[1])
wa = client(world["token"], server=app, webhook_endpoint="/hook", verify_token=verify_token, app_secret=secret)
wa.on_message(lambda _, message: messages.put(message))

sent = wa.send_message(to="15550100999", text=text)
check("sends", sent.id in [message["id"] for message in httpx.get(f"{world['simulator']}/messages").json()["data"]])

content = b"%PDF-1.4 canary"
media = wa.upload_media(media=content, mime_type="application/pdf", filename="a.pdf")
url = wa.get_media_url(media.id).url
check("downloads from our host", url.startswith(world["base_url"]) and wa.get_media_bytes(url) == content)
with tempfile.TemporaryDirectory() as folder:
    file = wa.download_media(url=url, path=folder, filename="a.pdf")
    check("saves the file", pathlib.Path(file).read_bytes() == content)
check("deletes the file", bool(wa.delete_media(media.id)))
check("sends an upload", bool(wa.send_document(to="15550100999", document=content, filename="a.pdf").id))

names = [template.name for template in wa.get_templates()]
check("reads templates", world["template"] in names)
check("reads the number", wa.get_business_phone_number().id == world["phone_number_id"])

try:
    client(world["token"][:-1] + "x").send_message(to="15550100999", text="refused")
    check("knows the error of a wrong token", False)
except WhatsAppError as error:
    check("knows the error of a wrong token", error.code == 190)

server = make_server("127.0.0.1", 0, app, threaded=True)
threading.Thread(target=server.serve_forever, daemon=True).start()
hook = f"http://127.0.0.1:{server.server_port}/hook"
path = ""
try:
    wa.override_phone_callback_url(hook, verify_token)
except WhatsAppError as error:
    path = error.message.split("PUT ")[-1]
check("is told which target needs an app secret", path.startswith("/v2/"))
target = f"{world['base_url']}{path}"
headers = {"authorization": f"Bearer {world['token']}"}
settings = {"format": "meta", "url": hook, "verify_token": verify_token, "app_secret": secret}
made = httpx.put(target, headers=headers, json=settings, timeout=60)
check("passes the handshake", made.status_code == 200 and statuses.get(timeout=60) == 200)
check("registers a webhook of the number", bool(wa.override_phone_callback_url(f"{hook}?number", verify_token)))
check("registers a webhook of the account", bool(wa.override_waba_callback_url(hook, verify_token)))
while not statuses.empty():
    statuses.get()

# It reads no message without the user id of its sender.
contact = {"wa_id": "15550100999", "user_id": "US.13491208655302741918", "profile": {"name": "Ana"}}
event = {"type": "text", "phone_number_id": world["phone_number_id"], "contact": contact, "text": {"body": text}}
httpx.post(f"{world['simulator']}/events", json={"events": [event]}, timeout=60).raise_for_status()
message = messages.get(timeout=60)
check("verifies the signature of a message", message.text == text and statuses.get(timeout=60) == 200)
check("replies", bool(message.reply_text("Thanks").id))

forged = httpx.post(hook, content=b'{"object": "whatsapp_business_account"}', headers={"x-hub-signature-256": "sha256=0"})
check("rejects a forged one", forged.status_code == 403)

check("leaves no target behind", httpx.delete(target, headers=headers, timeout=60).status_code == 204)
server.shutdown()
json.dump({"done": done, "faults": faults}, sys.stdout)
