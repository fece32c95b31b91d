import { Component } from 'preact';
import { loadFlow } from '#shared/flow-json/play/model.ts';
import { Chat, focusOn } from './chat.tsx';
import { Phone } from './flow-on-phone.tsx';
import { FlowRun } from './flow-run.ts';
import { deviceLook, type Look } from './look.ts';
import type { PageData } from './page-data.ts';
import { Panel } from './panel.tsx';
import { requestExchange } from './request-exchange.ts';
import { speaker } from './say.ts';
import { ScreenHistory } from './screen-history.ts';

interface AppProps {
  readonly data: PageData;
}

interface AppState {
  readonly look: Look;
  /** Whether the Flow covers the chat. */
  readonly isOpen: boolean;
}

/** The phone, with details of the Flow beside it. */
export class App extends Component<AppProps, AppState> {
  override state: AppState = { look: deviceLook(), isOpen: true };
  readonly #run = this.#newRun();
  readonly #takesFiles = /"(Photo|Document)Picker"/.test(JSON.stringify(this.props.data.flow_json));
  readonly #history = new ScreenHistory(this.#run);

  #newRun(): FlowRun {
    const { id, flow_json, flow_token, component_limits, texts } = this.props.data;
    const say = speaker(texts);
    return new FlowRun({
      flow: loadFlow(flow_json, flow_token, component_limits),
      say,
      changed: () => {
        this.setState({ isOpen: true });
        this.#history.follow();
      },
      exchange: (request) => requestExchange(id, request, say),
    });
  }

  override componentDidMount() {
    this.#run.followLink();
  }

  readonly #open = () => {
    this.#run.restart();
    this.setState({ isOpen: true }, () => focusOn('.phone h1'));
  };

  readonly #close = () => this.setState({ isOpen: false }, () => focusOn('.bubble button'));

  override render({ data }: AppProps, { look, isOpen }: AppState) {
    const { flow, state, ui, activities } = this.#run;
    return (
      <div class="preview" data-system={look.system} style={{ colorScheme: look.theme }}>
        <div class="device">
          <Chat say={ui.say} text={data.flow_name} open={this.#open} isBehind={isOpen} />
          {isOpen && (
            <Phone
              flow={flow}
              state={state}
              ui={ui}
              back={() => this.#run.back()}
              close={this.#close}
              restart={() => this.#run.restart()}
            />
          )}
        </div>
        <Panel
          say={ui.say}
          flowName={data.flow_name}
          flow={flow}
          shown={state.stack.at(-1)}
          activities={activities}
          findings={data.findings}
          takesFiles={this.#takesFiles}
          look={look}
          setLook={(chosen) => this.setState({ look: chosen })}
          restart={() => this.#run.restart()}
          followLink={() => this.#run.followLink()}
        />
      </div>
    );
  }
}
