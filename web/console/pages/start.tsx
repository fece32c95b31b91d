import { type Call, curlOf, make } from '../calls.ts';
import type { PageProps } from '../page-view.ts';
import { ActionButton } from '../parts/action-button.tsx';
import { Command } from '../parts/command.tsx';
import { Badge } from '../parts/text.tsx';
import { sampleContact } from '../sample-contact.ts';
import type { Snapshot } from '../snapshot.ts';

/** Where a newcomer begins: what runs, and the first three things to do. */
export function Start({ snapshot, number }: PageProps) {
  const { world } = snapshot;
  return (
    <div class="page start">
      <header>
        <h1>Your messaging service runs on this machine</h1>
        <p class="dim">It is the deployed code with a simulated WhatsApp platform. Nothing here reaches AWS or Meta.</p>
      </header>
      {number && (
        <ol class="steps">
          {stepsFor(number, snapshot).map((step, i) => (
            <li class="card">
              <h2>
                {i + 1}. {step.title} {step.isDone && <Badge tone="good">done</Badge>}
              </h2>
              <p>{step.text}</p>
              <div class="row">
                <ActionButton {...(!step.isDone && { kind: 'primary' })} act={() => make(step.call)}>
                  {step.button}
                </ActionButton>
                <a href={step.link.href}>{step.link.name}</a>
              </div>
              <details>
                <summary>The same in a terminal</summary>
                <Command text={curlOf(step.call, world)} />
              </details>
            </li>
          ))}
        </ol>
      )}
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
          <li>Follow everything in a terminal:</li>
        </ul>
        <Command text="./messaging tail" />
      </section>
      <Running world={world} />
    </div>
  );
}

interface Step {
  readonly title: string;
  readonly text: string;
  readonly button: string;
  readonly call: Call;
  readonly link: { readonly href: string; readonly name: string };
  readonly isDone: boolean;
}

function stepsFor(number: Snapshot['world']['numbers'][number], { targets, inbox, messages }: Snapshot): Step[] {
  const { id, phone_number_id, display_phone_number } = number;
  const ofNumber = (one: { phone_number_id: string }) => one.phone_number_id === phone_number_id;
  const numberPath = `/v2/messaging/numbers/${id}`;
  const receiver = `${location.origin}/receiver/${id}/webhook`;
  const chat = { href: `#/phone/${phone_number_id}/${sampleContact}`, name: 'Open the chat' };
  return [
    {
      title: 'Receive notifications',
      text: `Point the webhook of ${display_phone_number} to the receiver that is built into this console.`,
      button: 'Set the webhook',
      call: {
        to: 'service',
        method: 'PUT',
        path: `${numberPath}/webhook`,
        body: { webhook: receiver },
      },
      link: { href: '#/inspector', name: 'Open the Inspector' },
      isDone: targets.get(`${id} webhook`)?.url === receiver,
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
      link: chat,
      isDone: [...inbox.values()].some(ofNumber),
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
      isDone: [...messages.values()].some(ofNumber),
    },
  ];
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
      <div class="workspaces">
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
      </div>
    </>
  );
}
