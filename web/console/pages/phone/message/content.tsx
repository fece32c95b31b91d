import type { ComponentChildren } from 'preact';
import { parseJson } from '#shared/base/json.ts';
import { Icon } from '../../../parts/icon.tsx';
import { Json } from '../../../parts/text.tsx';
import { File } from './file.tsx';
import { listOf, type Members, members, textOf } from './read-content.ts';
import { Link, RichText } from './rich-text.tsx';

interface ContentProps {
  readonly type: string;
  readonly content: unknown;
}

/** The content of a message of a simple type, from either side. What is unknown is named, with its JSON to unfold. */
export function Content({ type, content }: ContentProps) {
  const view = views[type];
  if (view !== undefined) return view(members(content));
  return <Unknown type={type} content={content} />;
}

export function Unknown({ type, content }: ContentProps) {
  return (
    <details class="unknown">
      <summary>
        A message of the type <code>{type}</code>
      </summary>
      <Json value={content} label={type} />
    </details>
  );
}

const views: Readonly<Record<string, (content: Members) => ComponentChildren>> = {
  text: ({ body }) => <RichText text={textOf(body)} />,
  image: (content) => <File kind="image" content={content} />,
  sticker: (content) => <File kind="sticker" content={content} />,
  video: (content) => <File kind="video" content={content} />,
  audio: (content) => <File kind="audio" content={content} />,
  document: (content) => <File kind="document" content={content} />,
  location: (content) => <Place {...content} />,
  contacts: (content) => <Cards contacts={Object.values(content).map(members)} />,
  button: ({ text }) => <RichText text={textOf(text)} />,
  interactive: (content) => <Reply content={content} />,
  order: (content) => <Order {...content} />,
  unsupported: ({ type }) => <p class="body dim">Not supported by the platform{type ? `: ${textOf(type)}` : ''}</p>,
  edit: () => <p class="body dim">Edited a message that is not here any more</p>,
  revoke: () => <p class="body dim">Deleted a message that is not here any more</p>,
};

function Place({ name, address, latitude, longitude, url }: Members) {
  return (
    <p class="tile">
      <Icon name="place" />
      <span dir="auto">
        {textOf(url) === '' ? <b>{textOf(name) || 'Location'}</b> : <Link url={textOf(url)}>{textOf(name)}</Link>}
        <small class="dim">{textOf(address)}</small>
        <small class="dim">
          {textOf(latitude)}, {textOf(longitude)}
        </small>
      </span>
    </p>
  );
}

function Cards({ contacts }: { contacts: readonly Members[] }) {
  return (
    <ul>
      {contacts.map((contact) => {
        const [phones, emails] = [listOf(contact.phones), listOf(contact.emails)];
        const details = [
          textOf(members(contact.org).company),
          ...phones.map(({ phone }) => textOf(phone)),
          ...emails.map(({ email }) => textOf(email)),
        ];
        return (
          <li class="tile">
            <Icon name="person" />
            <span dir="auto">
              <b>{textOf(members(contact.name).formatted_name) || 'Own contact card'}</b>
              {details.filter(Boolean).map((detail) => (
                <small class="dim">{detail}</small>
              ))}
            </span>
          </li>
        );
      })}
    </ul>
  );
}

/** What a contact chose, allowed or filled in. */
function Reply({ content }: { content: Members }) {
  const type = textOf(content.type);
  const reply = members(content[type]);
  if (type === 'nfm_reply') {
    const { flow_token: _, ...values } = members(parseJson(textOf(reply.response_json)));
    const words = Object.entries(values).filter(([, value]) => textOf(value) !== '' || typeof value === 'boolean');
    return (
      <>
        <RichText text={reply.name === 'address_message' ? textOf(reply.body) : 'Filled in the Flow'} />
        {words.length > 0 && (
          <dl class="lines">
            {words.map(([name, value]) => (
              <div>
                <dt class="dim">{name.replaceAll('_', ' ')}</dt>
                <dd dir="auto">{String(value)}</dd>
              </div>
            ))}
          </dl>
        )}
        <details>
          <summary>Response</summary>
          <Json value={reply.response_json} label="Response" />
        </details>
      </>
    );
  }
  if (type === 'call_permission_reply') {
    if (reply.response !== 'accept') return <p class="body">Does not allow calls</p>;
    return <p class="body">{reply.is_permanent === true ? 'Always allows calls' : 'Allows calls'}</p>;
  }
  if (!type.endsWith('_reply')) return <Unknown type={`interactive, ${type}`} content={content} />;
  return (
    <>
      <RichText text={textOf(reply.title)} />
      {textOf(reply.description) !== '' && <small class="dim">{textOf(reply.description)}</small>}
    </>
  );
}

function Order({ text, product_items }: Members) {
  return (
    <>
      <ul>
        {listOf(product_items).map(({ product_retailer_id, quantity, item_price, currency }) => (
          <li>
            {textOf(quantity)} × <b>{textOf(product_retailer_id)}</b>{' '}
            <span class="dim">
              {textOf(currency)} {textOf(item_price)}
            </span>
          </li>
        ))}
      </ul>
      <RichText text={textOf(text)} />
    </>
  );
}
