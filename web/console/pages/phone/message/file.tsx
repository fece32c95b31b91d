import { Component } from 'preact';
import { Icon } from '../../../parts/icon.tsx';
import { type FileKind, fileNames } from './file-names.ts';
import { type Members, textOf } from './members.ts';
import { Link, RichText } from './rich-text.tsx';

interface FileProps {
  readonly kind: FileKind;
  readonly content: Members;
}

/** A file of a message, with its caption. */
export class File extends Component<FileProps, { isGone: boolean }> {
  override state = { isGone: false };

  override render({ kind, content }: FileProps, { isGone }: { isGone: boolean }) {
    const { id, link, filename, caption, voice } = content;
    const name = textOf(filename) || (voice === true ? 'Voice message' : fileNames[kind]);
    const gone = () => this.setState({ isGone: true });
    return (
      <>
        {typeof id !== 'string' ? (
          <Tile kind={kind} name={name} detail={hostOf(textOf(link))} url={textOf(link)} />
        ) : isGone ? (
          <Tile kind={kind} name={name} detail="The simulated platform has no such file." url="" />
        ) : (
          <Media kind={kind} source={`/simulator/media/${encodeURIComponent(id)}/content`} name={name} gone={gone} />
        )}
        <RichText text={textOf(caption)} />
      </>
    );
  }
}

/** A file that the page cannot show, because another host has it. */
function Tile({ kind, name, detail, url }: { kind: FileKind; name: string; detail: string; url: string }) {
  return (
    <p class="tile">
      <Icon name={kind === 'sticker' ? 'image' : kind} />
      <span>
        <Link url={url}>{name}</Link>
        <small class="dim">{detail}</small>
      </span>
    </p>
  );
}

interface MediaProps {
  readonly kind: FileKind;
  readonly source: string;
  readonly name: string;
  readonly gone: () => void;
}

function Media({ kind, source, name, gone }: MediaProps) {
  if (kind === 'image' || kind === 'sticker') return <img class={kind} src={source} alt={name} onError={gone} />;
  // biome-ignore lint/a11y/useMediaCaption: nobody wrote captions for what people send.
  if (kind === 'video') return <video src={source} controls onError={gone} />;
  // biome-ignore lint/a11y/useMediaCaption: nobody wrote captions for what people send.
  if (kind === 'audio') return <audio src={source} controls onError={gone} />;
  return (
    <p class="tile">
      <Icon name="document" />
      <a href={source} download={name}>
        {name}
      </a>
    </p>
  );
}

const hostOf = (url: string) => (URL.canParse(url) ? `at ${new URL(url).host}` : '');
