import { Component } from 'preact';

/** A command for the terminal: complete, and copied with one click. */
export class Command extends Component<{ text: string }, { said: string }> {
  override state = { said: '' };

  readonly #copy = async () => {
    const said = await navigator.clipboard.writeText(this.props.text).then(
      () => 'Copied',
      () => 'The browser does not allow it. Select the text to copy it.',
    );
    this.setState({ said });
    setTimeout(() => this.setState({ said: '' }), 5_000);
  };

  override render({ text }: { text: string }, { said }: { said: string }) {
    return (
      <div class="command">
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable with the keyboard. */}
        <code tabIndex={0}>{text}</code>
        <button type="button" class="quiet" onClick={this.#copy}>
          Copy
        </button>
        <span role="status">{said}</span>
      </div>
    );
  }
}
