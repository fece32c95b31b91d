import { Component, createRef } from 'preact';

/** The Flow as a phone shows it, which starts again with each change of the text that is JSON. */
export class FlowPreview extends Component<{ text: string }> {
  readonly #frame = createRef<HTMLIFrameElement>();
  #timer: ReturnType<typeof setTimeout> | undefined;

  readonly #ready = ({ data, origin }: MessageEvent) => {
    if (origin === location.origin && data === 'ready') this.#show();
  };

  override componentDidMount() {
    addEventListener('message', this.#ready);
  }

  override componentWillUnmount() {
    clearTimeout(this.#timer);
    removeEventListener('message', this.#ready);
  }

  override componentDidUpdate({ text }: { text: string }) {
    if (text === this.props.text) return;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#show(), 300);
  }

  #show(): void {
    this.#frame.current?.contentWindow?.postMessage({ flowJson: this.props.text }, location.origin);
  }

  override render() {
    return (
      <section class="card" aria-label="Running Flow">
        <h2>On the phone</h2>
        <iframe ref={this.#frame} title="Running Flow" src="/sheet" />
      </section>
    );
  }
}
