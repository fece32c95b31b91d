import type { ComponentChildren } from 'preact';
import { Json } from '../../parts/text.tsx';

type Members = Readonly<Record<string, unknown>>;

const textOf = (value: unknown) => (typeof value === 'string' ? value : '');
const members = (value: unknown) => Object(value) as Members;

/** The content of a message of any type, from either side. What is unknown is shown as JSON. */
export function Content({ type, content }: { type: string; content: unknown }) {
  const view = views[type];
  const shown = members(content);
  return view === undefined ? <Json value={content} label={type} /> : view(shown);
}

const views: Readonly<Record<string, (content: Members) => ComponentChildren>> = {
  text: ({ body }) => <p class="body">{textOf(body)}</p>,
  image: (content) => <File kind="image" content={content} />,
  sticker: (content) => <File kind="image" content={content} />,
  video: (content) => <File kind="video" content={content} />,
  audio: (content) => <File kind="audio" content={content} />,
  document: (content) => <File kind="document" content={content} />,
  location: ({ name, address, latitude, longitude }) => (
    <p class="body">
      📍 {textOf(name)} <span class="dim">{textOf(address)}</span>
      <br />
      <small class="dim">
        {String(latitude)}, {String(longitude)}
      </small>
    </p>
  ),
  contacts: (content) => (
    <ul>
      {Object.values(content).map((one) => {
        const { name, phones } = members(one);
        const [first] = Array.isArray(phones) ? phones : [];
        return (
          <li>
            👤 {textOf(members(name).formatted_name)} <span class="dim">{textOf(members(first).phone)}</span>
          </li>
        );
      })}
    </ul>
  ),
  button: ({ text }) => <p class="body">{textOf(text)}</p>,
  interactive: (content) => <Interactive content={content} />,
  template: (content) => <Template content={content} />,
};

function File({ kind, content }: { kind: 'image' | 'video' | 'audio' | 'document'; content: Members }) {
  const { id, link, caption, filename } = content;
  const source = typeof id === 'string' ? `/simulator/media/${encodeURIComponent(id)}/content` : undefined;
  return (
    <>
      {source === undefined ? (
        <p class="body">🔗 {textOf(link)}</p>
      ) : (
        <Media kind={kind} source={source} name={textOf(filename)} />
      )}
      {textOf(caption) !== '' && <p class="body">{textOf(caption)}</p>}
    </>
  );
}

function Media({ kind, source, name }: { kind: string; source: string; name: string }) {
  if (kind === 'image') return <img src={source} alt="Sent file" />;
  // biome-ignore lint/a11y/useMediaCaption: nobody wrote captions for what people send.
  if (kind === 'video') return <video src={source} controls />;
  // biome-ignore lint/a11y/useMediaCaption: nobody wrote captions for what people send.
  if (kind === 'audio') return <audio src={source} controls />;
  return (
    <p class="body">
      📄 <a href={source}>{name || 'Document'}</a>
    </p>
  );
}

/** The words of an interactive message, or of what a contact chose in one. */
function Interactive({ content }: { content: Members }) {
  const reply = members(content[textOf(content.type)]);
  if (textOf(content.type).endsWith('_reply')) return <Reply type={textOf(content.type)} reply={reply} />;
  const { header, body, footer } = content;
  return (
    <>
      {members(header).type === 'text' && <p class="header">{textOf(members(header).text)}</p>}
      {['image', 'video', 'document'].includes(textOf(members(header).type)) && (
        <Content type={textOf(members(header).type)} content={members(header)[textOf(members(header).type)]} />
      )}
      <p class="body">{textOf(members(body).text)}</p>
      {textOf(members(footer).text) !== '' && <p class="dim">{textOf(members(footer).text)}</p>}
    </>
  );
}

function Reply({ type, reply }: { type: string; reply: Members }) {
  if (type === 'nfm_reply') return <Json value={reply.response_json} label="Answer of the Flow" />;
  if (type === 'call_permission_reply') return <p class="body">Calls: {textOf(reply.response)}</p>;
  return <p class="body">{textOf(reply.title)}</p>;
}

/** The platform keeps the words of a template, so this shows its name and what is filled in. */
function Template({ content: { name, language, components } }: { content: Members }) {
  const texts = (Array.isArray(components) ? components : []).flatMap((component) => {
    const { parameters } = members(component);
    return (Array.isArray(parameters) ? parameters : []).map((one) => textOf(members(one).text)).filter(Boolean);
  });
  return (
    <>
      <p class="body">
        Template <b>{textOf(name)}</b> <span class="dim">{textOf(members(language).code)}</span>
      </p>
      {texts.length > 0 && <p class="body">{texts.join(' · ')}</p>}
    </>
  );
}
