import { Component } from 'preact';

interface CopyButtonProps {
  readonly text: string;
  readonly label: string;
  /** What it says once that is done. */
  readonly done: string;
}

export class CopyButton extends Component<CopyButtonProps, { copied?: string }> {
  override render({ text, label, done }: CopyButtonProps, { copied }: { copied?: string }) {
    const copy = () =>
      void navigator.clipboard.writeText(text).then(
        () => this.setState({ copied: text }),
        () => {}, // Whoever does not let the page write to the clipboard can still mark the text.
      );
    return (
      <button type="button" class="quiet" aria-live="polite" onClick={copy}>
        {copied === text ? done : label}
      </button>
    );
  }
}
