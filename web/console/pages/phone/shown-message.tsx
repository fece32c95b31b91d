import { Component, createRef } from 'preact';
import { Menu } from '#web/preview/menu.tsx';
import { sendText } from '../../http.ts';
import { ActionButton } from '../../parts/action-button.tsx';
import { Icon } from '../../parts/icon.tsx';
import { indented } from '../../parts/text.tsx';
import type { ChatKey } from './chats.ts';
import { answerPermission, call, replyTo, sendEvent, shareContact } from './contact-acts.ts';
import { Content } from './message/content.tsx';
import { Link, RichText } from './message/rich-text.tsx';
import type { Act, Event, Section, Shown, Tap } from './message/shown.ts';

/** The message, with its chat, that a tap answers. */
interface Place {
  readonly chat: ChatKey;
  readonly message: string;
  /** The digits of the number that sent it. */
  readonly from: string;
}

/** A message with parts and what can be tapped on it. Those of a template or of an interactive message. */
export function ShownMessage({ shown, place }: { shown: Shown; place: Place }) {
  const { header, body, footer = '', lines = [], note, declaration, taps, cards = [] } = shown;
  return (
    <>
      {header !== undefined && (
        <div class="header">
          <Content type={header.type} content={header.content} />
        </div>
      )}
      <RichText text={body} />
      {lines.length > 0 && (
        <dl class="lines">
          {lines.map(([name, value]) => (
            <div>
              <dt class="dim">{name}</dt>
              <dd>{value}</dd>
            </div>
          ))}
        </dl>
      )}
      {footer !== '' && <p class="dim">{footer}</p>}
      {note !== undefined && <p class="note dim">{note}</p>}
      {declaration !== undefined && <DeclareTemplate declaration={declaration} />}
      {taps.length > 0 && (
        <div class="taps">
          {taps.map((tap) => (
            <TapView tap={tap} place={place} />
          ))}
        </div>
      )}
      {cards.length > 0 && (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable with the keyboard.
        <ul class="cards" tabIndex={0} aria-label="Cards">
          {cards.map((card) => (
            <li>
              <ShownMessage shown={card} place={place} />
            </li>
          ))}
        </ul>
      )}
    </>
  );
}

function TapView({ tap, place }: { tap: Tap; place: Place }) {
  switch (tap.kind) {
    case 'event':
      return (
        <ActionButton act={() => answer(place, tap.event)}>
          <Icon name="reply" /> {tap.label}
        </ActionButton>
      );
    case 'act':
      return <ActionButton act={() => carryOut(tap.act, place)}>{tap.label}</ActionButton>;
    case 'link':
      return (
        <span class="tap" title={tap.url}>
          <Link url={tap.url}>
            <Icon name={tap.url.startsWith('tel:') ? 'call' : 'link'} /> {tap.label}
          </Link>
        </span>
      );
    case 'none':
      return (
        <>
          <button type="button" disabled>
            {tap.label}
          </button>
          <p class="note dim">{tap.why}</p>
        </>
      );
    case 'copy':
      return <CopyTap {...tap} />;
    case 'choices':
      return <Choices label={tap.label} sections={tap.sections} place={place} />;
  }
}

/** Tells the simulated platform the words of a template. */
function DeclareTemplate({ declaration }: { declaration: object }) {
  const field = createRef<HTMLTextAreaElement>();
  return (
    <details class="declare">
      <summary>Declare it</summary>
      <textarea
        ref={field}
        aria-label="Declaration"
        rows={12}
        spellcheck={false}
        defaultValue={indented(declaration)}
      />
      <ActionButton act={() => sendText('POST', '/simulator/templates', field.current?.value)}>Declare</ActionButton>
    </details>
  );
}

/** Says that it has copied. */
class CopyTap extends Component<{ label: string; text: string }, { isCopied: boolean }> {
  override state = { isCopied: false };

  override render({ label, text }: { label: string; text: string }, { isCopied }: { isCopied: boolean }) {
    const copy = async () => {
      await navigator.clipboard.writeText(text);
      this.setState({ isCopied: true });
    };
    return <ActionButton act={copy}>{isCopied ? `Copied ${text}` : label}</ActionButton>;
  }
}

interface ChoicesProps {
  readonly label: string;
  readonly sections: readonly Section[];
  readonly place: Place;
}

/** The rows of a list, or the items of a catalog, in a sheet over the chat. */
class Choices extends Component<ChoicesProps, { chosen?: string }> {
  override render({ label, sections, place }: ChoicesProps, { chosen }: { chosen?: string }) {
    const groups = sections.map((section, i) => ({
      ...section,
      rows: section.rows.map((row, j) => ({ ...row, key: `${i} ${j}` })),
    }));
    const event = groups.flatMap(({ rows }) => rows).find(({ key }) => key === chosen)?.event;
    return (
      <Menu
        class="bottom-sheet"
        sign={
          <span>
            <Icon name="list" /> {label}
          </span>
        }
      >
        <b>{label}</b>
        {groups.map(({ title, rows }) => (
          <fieldset>
            <legend class="dim">{title || label}</legend>
            {rows.map(({ key, title: name, description }) => (
              <label class="choice pick">
                <span>
                  {name}
                  {description !== '' && <small class="dim">{description}</small>}
                </span>
                <input
                  type="radio"
                  name={place.message}
                  checked={chosen === key}
                  onChange={() => this.setState({ chosen: key })}
                />
              </label>
            ))}
          </fieldset>
        ))}
        <ActionButton
          kind="primary"
          disabled={event === undefined}
          act={async () => event && (await answer(place, event))}
        >
          Send
        </ActionButton>
      </Menu>
    );
  }
}

const answer = ({ chat, message, from }: Place, event: Event) =>
  sendEvent(chat, { ...event, ...replyTo(message, from) });

function carryOut(act: Act, { chat, message }: Place): Promise<unknown> {
  switch (act) {
    case 'allow calls':
      return answerPermission(chat, { response: 'accept' });
    case 'always allow calls':
      return answerPermission(chat, { response: 'accept', is_permanent: true });
    case 'reject calls':
      return answerPermission(chat, { response: 'reject' });
    case 'share contact':
      return shareContact(message);
    case 'call':
      return call(chat);
    case 'open flow':
      location.hash = `#/phone/${chat.phoneNumberId}/${encodeURIComponent(chat.contact)}/${encodeURIComponent(message)}`;
      return Promise.resolve();
  }
}
