import { Component } from 'preact';

/** A command for the terminal: complete, wrapped, and copied with one click. */
export class Command extends Component<{ text: string }, { isCopied: boolean }> {
  override state = { isCopied: false };

  readonly #copy = async () => {
    await navigator.clipboard.writeText(this.props.text);
    this.setState({ isCopied: true });
    setTimeout(() => this.setState({ isCopied: false }), 2_000);
  };

  override render({ text }: { text: string }, { isCopied }: { isCopied: boolean }) {
    return (
      <div class="command">
        <code>{text}</code>
        <button type="button" class="quiet" onClick={this.#copy}>
          {isCopied ? 'Copied' : 'Copy'}
        </button>
        <span role="status" class="visually-hidden">
          {isCopied && 'Copied'}
        </span>
      </div>
    );
  }
}
