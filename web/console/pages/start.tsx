import { Component } from 'preact';
import type { WorldNumber } from '../bar.tsx';
import { type Call, curlOf, make } from '../calls.ts';
import type { PageProps } from '../page-view.ts';
import { ActionButton } from '../parts/action-button.tsx';
import { Command } from '../parts/command.tsx';
import { Icon } from '../parts/icon.tsx';
import { Badge } from '../parts/text.tsx';
import type { Snapshot } from '../snapshot.ts';
import { sampleContact } from './phone/names.ts';

/** Where a newcomer begins: the first three things to do, and then a receiver of their own. */
export function Start({ snapshot, number }: PageProps) {
  const { world } = snapshot;
  const steps = number === undefined ? [] : stepsFor(number, snapshot);
  const next = steps.find(({ isDone }) => !isDone);
  return (
    <div class="page start">
      <header>
        <h1>Your messaging service runs on this machine</h1>
        <p class="dim">It is the deployed code with a simulated WhatsApp platform. Nothing here reaches AWS or Meta.</p>
      </header>
      <ol class="steps">
        {steps.map((step, i) => (
          <li class="card" data-next={step === next}>
            <h2>
              {i + 1}. {step.title}
            </h2>
            <p>{step.text}</p>
            <ActionButton {...(step === next && { kind: 'primary' })} act={() => make(step.call)}>
              {step.button}
            </ActionButton>
            <p class="result" role="status">
              {step.isDone ? (
                <>
                  <Icon name="check" /> {step.result} <a href={step.link.href}>{step.link.name}</a>
                </>
              ) : (
                <span class="dim">Not done yet.</span>
              )}
            </p>
          </li>
        ))}
      </ol>
      {number && <InTerminal steps={steps} world={world} />}
      {number && <OwnReceiver key={number.id} number={number} world={world} />}
      <div class="about">
        <section class="card">
          <h2>Next steps</h2>
          <ul class="next">
            <li>
              <a href="#/flows">Edit a Flow</a> and see it run, then send it to a contact.
            </li>
            <li>
              <a href="#/inspector">Make the receiver fail</a>, watch the retries, and replay what failed.
            </li>
            <li>
              <a href="#/platform">Make the platform fail</a>, show people by username only, or start over.
            </li>
            <li>
              Follow everything in a terminal: <code>./messaging tail</code>
            </li>
          </ul>
        </section>
        <Running world={world} />
      </div>
    </div>
  );
}

interface InTerminalProps {
  readonly steps: readonly Step[];
  readonly world: Snapshot['world'];
}

/** The steps as commands. It follows the steps until somebody chooses one. */
class InTerminal extends Component<InTerminalProps, { chosen?: number }> {
  override render({ steps, world }: InTerminalProps, { chosen }: { chosen?: number }) {
    const next = steps.findIndex(({ isDone }) => !isDone);
    const shown = chosen ?? Math.max(0, next);
    const step = steps[shown];
    return (
      <section class="card" aria-labelledby="terminal">
        <div class="row">
          <h2 id="terminal">The same in a terminal</h2>
          <fieldset class="segments">
            <legend class="visually-hidden">Step</legend>
            {steps.map(({ title }, i) => (
              <label>
                <input
                  type="radio"
                  name="step"
                  aria-label={`${i + 1}. ${title}`}
                  checked={i === shown}
                  onChange={() => this.setState({ chosen: i })}
                />
                {i + 1}
              </label>
            ))}
          </fieldset>
        </div>
        {step && <Command text={curlOf(step.call, world)} />}
      </section>
    );
  }
}

interface OwnReceiverProps {
  readonly number: WorldNumber;
  readonly world: Snapshot['world'];
}

/** Where a newcomer goes on: notifications go to a server of their own. */
class OwnReceiver extends Component<OwnReceiverProps, { url: string }> {
  override state = { url: 'http://localhost:8080/webhook' };

  override render({ number, world }: OwnReceiverProps, { url }: { url: string }) {
    const call = webhookCall(number.id, url);
    return (
      <section class="card" aria-labelledby="own-receiver">
        <h2 id="own-receiver">Then: a receiver of your own</h2>
        <p>
          A server that responds 200 is enough. On this machine it may speak plain HTTP.{' '}
          <code>./messaging receive</code> is one that shows what arrives.
        </p>
        <div class="row">
          <label class="url-field">
            Address of your receiver
            <input
              type="url"
              value={url}
              onInput={({ currentTarget }) => this.setState({ url: currentTarget.value })}
            />
          </label>
          <ActionButton act={() => make(call)}>Notify it</ActionButton>
        </div>
        <Command text={curlOf(call, world)} />
      </section>
    );
  }
}

interface Step {
  readonly title: string;
  readonly text: string;
  readonly button: string;
  readonly call: Call;
  readonly link: { readonly href: string; readonly name: string };
  readonly isDone: boolean;
  /** What came of it. */
  readonly result: string;
}

const webhookCall = (number: string, webhook: string): Call => ({
  to: 'service',
  method: 'PUT',
  path: `/v2/messaging/numbers/${number}/webhook`,
  body: { webhook },
});

function stepsFor(number: WorldNumber, { targets, inbox, messages, deliveries }: Snapshot): Step[] {
  const { id, phone_number_id, display_phone_number } = number;
  const ofNumber = (one: { phone_number_id: string }) => one.phone_number_id === phone_number_id;
  const numberPath = `/v2/messaging/numbers/${id}`;
  const receiver = `${location.origin}/receiver/${id}/webhook`;
  const message = [...messages.values()].findLast(ofNumber);
  const arrived = [...inbox.values()].findLast(ofNumber);
  const notified = notificationOf(arrived?.id, deliveries);
  const chat = { href: `#/phone/${phone_number_id}/${sampleContact}`, name: 'Open the chat' };
  return [
    {
      title: 'Receive notifications',
      text: `Point the webhook of ${display_phone_number} to the receiver that is built into this console.`,
      button: 'Set the webhook',
      call: webhookCall(id, receiver),
      link: { href: '#/inspector', name: 'Open the Inspector' },
      isDone: targets.get(`${id} webhook`)?.url === receiver,
      result: 'It is set.',
    },
    {
      title: 'Write to the number',
      text: 'A contact sends “Hello!”. The platform tells the service, which notifies the webhook.',
      button: 'Send a message',
      call: {
        to: 'simulator',
        method: 'POST',
        path: '/simulator/events',
        body: {
          events: [{ type: 'text', phone_number_id, contact: { wa_id: sampleContact }, text: { body: 'Hello!' } }],
        },
      },
      link: notified?.link ?? chat,
      isDone: arrived !== undefined,
      result: notified?.result ?? 'The message arrived.',
    },
    {
      title: 'Reply',
      text: 'Send a message to the contact with the API. Its statuses come back as notifications.',
      button: 'Send a reply',
      call: {
        to: 'service',
        method: 'POST',
        path: `${numberPath}/messages`,
        body: { to: sampleContact, type: 'text', text: { body: 'Hi! How can we help?' } },
      },
      link: chat,
      isDone: message !== undefined,
      result: `It is ${message?.statuses.at(-1)?.status ?? 'accepted'}.`,
    },
  ];
}

/** How the service notified the webhook of a message. */
function notificationOf(message: string | undefined, deliveries: Snapshot['deliveries']) {
  if (message === undefined) return undefined;
  const delivery = [...deliveries.values()].findLast(({ body }) => body?.includes(message));
  const last = delivery?.attempts.at(-1);
  if (delivery === undefined || last === undefined) return undefined;
  const result =
    delivery.state === 'delivered' ? `Notified in ${last.duration_ms} ms.` : `The notification is ${delivery.state}.`;
  return { result, link: { href: `#/inspector/${delivery.id}`, name: 'See it' } };
}

function Running({ world }: { world: Snapshot['world'] }) {
  const { base_url, upstream_url, workspaces, numbers, tokens } = world;
  return (
    <>
      <section class="card">
        <h2>What runs</h2>
        <dl class="facts">
          <dt>API</dt>
          <dd>
            <code>{base_url}</code> (<a href={`${base_url}/v2/openapi.json`}>its description</a>)
          </dd>
          <dt>Simulated platform</dt>
          <dd>
            <code>{upstream_url}</code> (<a href={`${upstream_url}/simulator`}>its controls</a>)
          </dd>
          {Object.entries(tokens).map(([user, token]) => (
            <>
              <dt>Token of the {user}</dt>
              <dd>
                <code>{token}</code>
              </dd>
            </>
          ))}
        </dl>
      </section>
      {workspaces.map((workspace) => (
        <section class="card">
          <h2>
            {workspace.name} <span class="dim">workspace</span>
          </h2>
          <p>
            <code>{workspace.id}</code>
            {workspace.waba_id === null ? ' · no business account' : ` · business account ${workspace.waba_id}`}
          </p>
          <ul class="numbers">
            {numbers
              .filter((number) => number.workspace === workspace.id)
              .map((number) => (
                <li>
                  <a href={`#/phone/${number.phone_number_id}`}>{number.display_phone_number}</a>{' '}
                  {!number.active && <Badge tone="warn">not active</Badge>}{' '}
                  {number.calling_enabled && <Badge>calling</Badge>}
                  <code>{number.id}</code>
                </li>
              ))}
          </ul>
        </section>
      ))}
    </>
  );
}
