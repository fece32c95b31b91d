import { Component, createRef } from 'preact';
import { isObject, parseJson } from '#shared/base/json.ts';
import type { Look } from '#web/preview/look.ts';

type System = Look['system'];

const systems: Readonly<Record<System, string>> = { android: 'Android', ios: 'iOS' };

/** The Flow as a phone shows it, which starts again with each change of the text that is JSON. */
export class FlowPreview extends Component<{ text: string }, { system: System }> {
  override state: { system: System } = { system: 'android' };
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

  override componentDidUpdate({ text }: { text: string }, { system }: { system: System }) {
    if (text === this.props.text && system === this.state.system) return;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#show(), 300);
  }

  #show(): void {
    const { text } = this.props;
    if (isObject(parseJson(text))) {
      this.#frame.current?.contentWindow?.postMessage({ flowJson: text, system: this.state.system }, location.origin);
    }
  }

  override render({ text }: { text: string }, { system }: { system: System }) {
    return (
      <section class="card" aria-label="Running Flow">
        <div class="row">
          <h2>On the phone</h2>
          <fieldset class="segments">
            <legend class="visually-hidden">Phone</legend>
            {Object.entries(systems).map(([key, name]) => (
              <label>
                <input
                  type="radio"
                  name="system"
                  checked={key === system}
                  onChange={() => this.setState({ system: key as System })}
                />
                {name}
              </label>
            ))}
          </fieldset>
        </div>
        <iframe ref={this.#frame} title="Running Flow" src="/sheet" />
        <p class="dim" role="status">
          {!isObject(parseJson(text)) &&
            'The text is not a JSON object at the moment. The phone shows it as it was before.'}
        </p>
      </section>
    );
  }
}
