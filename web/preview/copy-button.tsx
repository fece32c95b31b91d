import { Component } from 'preact';

interface CopyButtonProps {
  readonly text: string;
  readonly label: string;
  /** The label after copying. */
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
