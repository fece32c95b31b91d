import { Component } from 'preact';
import { loadFlow } from '#shared/flow-json/play/model.ts';
import { FlowRun } from './flow-run.ts';
import { deviceLook, type Look } from './look.ts';
import type { PageData } from './page-data.ts';
import { Panel } from './panel.tsx';
import { Phone } from './phone.tsx';
import { requestExchange } from './request-exchange.ts';
import { speaker } from './say.ts';
import { ScreenHistory } from './screen-history.ts';

interface AppProps {
  readonly data: PageData;
}

/** The phone, with details of the Flow beside it. */
export class App extends Component<AppProps, { look: Look }> {
  override state = { look: deviceLook() };
  readonly #run = this.#newRun();
  readonly #history = new ScreenHistory(this.#run);

  #newRun(): FlowRun {
    const { id, flow_json, flow_token, component_limits, texts } = this.props.data;
    const say = speaker(texts);
    return new FlowRun({
      flow: loadFlow(flow_json, flow_token, component_limits),
      say,
      changed: () => {
        this.forceUpdate();
        this.#history.follow();
      },
      exchange: (request) => requestExchange(id, request, say),
    });
  }

  override componentDidMount() {
    this.#run.followLink();
  }

  override render({ data }: AppProps, { look }: { look: Look }) {
    const { flow, state, ui, activities } = this.#run;
    return (
      <div class="preview" data-system={look.system} data-theme={look.theme}>
        <Phone flow={flow} state={state} ui={ui} back={() => this.#run.back()} />
        <Panel
          say={ui.say}
          flowName={data.flow_name}
          flow={flow}
          shown={state.stack.at(-1)}
          activities={activities}
          findings={data.findings}
          look={look}
          setLook={(chosen) => this.setState({ look: chosen })}
          restart={() => this.#run.restart()}
          followLink={() => this.#run.followLink()}
        />
      </div>
    );
  }
}
