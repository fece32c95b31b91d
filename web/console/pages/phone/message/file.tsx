import { Component } from 'preact';
import { Icon } from '../../../parts/icon.tsx';
import { type Members, textOf } from './read-content.ts';
import { Link, RichText } from './rich-text.tsx';
import { type FileKind, fileNames } from './summary.ts';

interface FileProps {
  readonly kind: FileKind;
  readonly content: Members;
}

interface FileState {
  /** Why the file is not shown, if so. */
  readonly trouble?: 'gone' | 'unreadable' | undefined;
}

/** A file of a message, with its caption. */
export class File extends Component<FileProps, FileState> {
  override state: FileState = {};

  /** The browser does not say why it shows nothing: it may lack the format, or the file. */
  async #failed(source: string): Promise<void> {
    const response = await fetch(source).catch(() => undefined);
    await response?.body?.cancel();
    if (response?.ok) this.setState({ trouble: 'unreadable' });
    else if (response?.status === 404) this.setState({ trouble: 'gone' });
  }

  override render({ kind, content }: FileProps, { trouble }: FileState) {
    const { id, link, filename, caption, voice } = content;
    const name = textOf(filename) || (voice === true ? 'Voice message' : fileNames[kind]);
    const source = `/simulator/media/${encodeURIComponent(textOf(id))}/content`;
    return (
      <>
        {typeof id !== 'string' ? (
          <Tile kind={kind} name={name} detail={hostOf(textOf(link))} url={textOf(link)} />
        ) : trouble === 'gone' ? (
          <Tile kind={kind} name={name} detail="The simulated platform has no such file." url="" />
        ) : trouble === 'unreadable' || kind === 'document' ? (
          <Download kind={kind} name={name} source={source} />
        ) : (
          <Media kind={kind} source={source} name={name} failed={() => void this.#failed(source)} />
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

interface DownloadProps {
  readonly kind: FileKind;
  readonly source: string;
  readonly name: string;
}

/** A file to save: a document, or one whose format this browser lacks. */
const Download = ({ kind, source, name }: DownloadProps) => (
  <p class="tile">
    <Icon name={kind === 'sticker' ? 'image' : kind} />
    <span>
      <a href={source} download={name}>
        {name}
      </a>
      {kind !== 'document' && <small class="dim">This browser cannot show it. Save it to open it.</small>}
    </span>
  </p>
);

interface MediaProps extends DownloadProps {
  readonly failed: () => void;
}

function Media({ kind, source, name, failed }: MediaProps) {
  // biome-ignore lint/a11y/useMediaCaption: nobody wrote captions for what people send.
  if (kind === 'video') return <video src={source} controls onError={failed} />;
  // biome-ignore lint/a11y/useMediaCaption: nobody wrote captions for what people send.
  if (kind === 'audio') return <audio src={source} controls onError={failed} />;
  return <img class={kind} src={source} alt={name} onError={failed} />;
}

const hostOf = (url: string) => (URL.canParse(url) ? `at ${new URL(url).host}` : '');
