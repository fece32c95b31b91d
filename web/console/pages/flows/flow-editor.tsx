import { Component, createRef } from 'preact';
import type { Finding } from '#shared/flow-json/validate/findings.ts';
import { validateFlowJson } from '#shared/flow-json/validate/validate.ts';
import { ActionButton } from '../../parts/action-button.tsx';
import { Badge } from '../../parts/text.tsx';
import type { Snapshot } from '../../snapshot.ts';
import { FlowActivity } from './flow-activity.tsx';
import { type FlowSummary, publish, readFlowJson, saveFlowJson } from './flow-api.ts';
import { FlowPreview } from './flow-preview.tsx';

interface FlowEditorProps {
  readonly workspace: string;
  readonly flow: FlowSummary;
  readonly snapshot: Snapshot;
}

interface EditorState {
  /** Undefined until the Flow JSON is read. */
  text?: string;
  saved?: string;
  fault?: string;
}

/** The Flow JSON of a Flow as text, with findings at its lines, beside the running Flow. */
export class FlowEditor extends Component<FlowEditorProps, EditorState> {
  override state: EditorState = {};
  readonly #text = createRef<HTMLTextAreaElement>();
  readonly #confirm = createRef<HTMLDialogElement>();

  override componentDidMount() {
    void this.#load();
  }

  async #load(): Promise<void> {
    const { workspace, flow } = this.props;
    try {
      const text = JSON.stringify(await readFlowJson(workspace, flow.id), null, 2);
      this.setState({ text, saved: text });
    } catch (error) {
      this.setState({ fault: error instanceof Error ? error.message : String(error) });
    }
  }

  readonly #save = async () => {
    const { workspace, flow } = this.props;
    const { text = '' } = this.state;
    this.#confirm.current?.close();
    await saveFlowJson(workspace, flow.id, text);
    this.setState({ saved: text });
  };

  readonly #askOrSave = async () => {
    if (this.props.flow.status.code === 'DRAFT') await this.#save();
    else this.#confirm.current?.showModal();
  };

  /** Puts the cursor at a finding. */
  #goTo({ line_start, column_start }: Finding): void {
    const field = this.#text.current;
    if (field === null) return;
    const before = field.value.split('\n').slice(0, line_start - 1);
    const at = before.reduce((sum, line) => sum + line.length + 1, 0) + column_start - 1;
    field.focus();
    field.setSelectionRange(at, at);
    field.scrollTop = (field.scrollHeight / field.value.split('\n').length) * Math.max(0, line_start - 4);
  }

  override render({ workspace, flow, snapshot }: FlowEditorProps, { text, saved, fault }: EditorState) {
    if (fault !== undefined) return <p class="fault">{fault}</p>;
    if (text === undefined) return <p class="dim">Reading the Flow…</p>;
    const { errors, warnings } = validateFlowJson(text);
    return (
      <>
        <div class="editor">
          <section class="card" aria-label="Flow JSON">
            <div class="row">
              <h2>Flow JSON</h2>
              {text !== saved && <Badge tone="warn">not saved</Badge>}
            </div>
            <textarea
              ref={this.#text}
              aria-label="Flow JSON"
              spellcheck={false}
              value={text}
              onInput={({ currentTarget }) => this.setState({ text: currentTarget.value })}
            />
            <div class="row">
              <ActionButton kind="primary" disabled={text === saved} act={this.#askOrSave}>
                Save
              </ActionButton>
              {flow.status.code === 'DRAFT' && (
                <ActionButton disabled={text !== saved || errors.length > 0} act={() => publish(workspace, flow.id)}>
                  Publish
                </ActionButton>
              )}
            </div>
            <Findings errors={errors} warnings={warnings} goTo={(finding) => this.#goTo(finding)} />
          </section>
          <FlowPreview text={text} />
        </div>
        <FlowActivity workspace={workspace} flow={flow.id} snapshot={snapshot} />
        <dialog class="confirm" ref={this.#confirm} aria-labelledby="confirm-title">
          <h2 id="confirm-title">Make this Flow a draft?</h2>
          <p>It is {flow.status.description.toLowerCase()}. Saving takes it offline until you publish it again.</p>
          <div class="row">
            <ActionButton kind="danger" act={this.#save}>
              Save as a draft
            </ActionButton>
            <button type="button" onClick={() => this.#confirm.current?.close()}>
              Cancel
            </button>
          </div>
        </dialog>
      </>
    );
  }
}

interface FindingsProps {
  readonly errors: readonly Finding[];
  readonly warnings: readonly Finding[];
  readonly goTo: (finding: Finding) => void;
}

function Findings({ errors, warnings, goTo }: FindingsProps) {
  const list = [
    ...errors.map((finding) => ({ finding, tone: 'bad' as const })),
    ...warnings.map((finding) => ({ finding, tone: 'warn' as const })),
  ];
  if (list.length === 0) return <Badge tone="good">no findings</Badge>;
  return (
    <ul class="findings" aria-label="Findings">
      {list.map(({ finding, tone }) => (
        <li>
          <button type="button" class="quiet" onClick={() => goTo(finding)}>
            line {finding.line_start}
          </button>{' '}
          <Badge tone={tone}>{finding.error}</Badge> {finding.message}
        </li>
      ))}
    </ul>
  );
}
