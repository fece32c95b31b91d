import { Component, type ComponentChildren, createRef } from 'preact';
import { isObject, parseJson } from '#shared/base/json.ts';
import type { Finding, Findings as FoundIn } from '#shared/flow-json/validate/findings.ts';
import { validateFlowJson } from '#shared/flow-json/validate/validate.ts';
import { messageOf } from '../../http.ts';
import { ActionButton } from '../../parts/action-button.tsx';
import { Badge } from '../../parts/text.tsx';
import { FindingCount, Findings } from './findings.tsx';
import { type FlowSummary, publish, readFlowJson, saveFlowJson } from './flow-api.ts';
import { StatusOfFlow } from './status-of-flow.tsx';
import { TextField } from './text-field.tsx';
import { keepUnsaved, unsavedOf } from './unsaved.ts';

interface FlowEditorProps {
  readonly workspace: string;
  readonly flow: FlowSummary;
  /** What sends the Flow, beside what saves and publishes it. */
  readonly send: ComponentChildren;
  /** Hears of the text when it is there, and of each change. */
  readonly changed: (text: string) => void;
}

interface EditorState {
  /** What is in the field. Undefined until the Flow JSON is read. */
  text?: string;
  /** What was in the field when it was read or saved. */
  saved?: string;
  /** What the service had then, indented. */
  base?: string;
  /** What another tab or program has saved since then, if anything. */
  elsewhere?: string | undefined;
  fault?: string | undefined;
}

/** The Flow JSON of a Flow as text, with findings at its lines. */
export class FlowEditor extends Component<FlowEditorProps, EditorState> {
  override state: EditorState = {};
  readonly #field = createRef<TextField>();
  readonly #confirm = createRef<HTMLDialogElement>();
  #checked: { readonly text: string; readonly found: FoundIn } | undefined;

  override componentDidMount() {
    void this.#open();
  }

  /** Someone has changed the Flow: this editor, another tab, or a program. */
  override componentDidUpdate({ flow }: FlowEditorProps) {
    if (flow.updated_at !== this.props.flow.updated_at) void this.#compare().catch(() => undefined);
  }

  async #open(): Promise<void> {
    const { workspace, flow } = this.props;
    try {
      const stored = await readFlowJson(workspace, flow.id);
      const { text = stored, base = stored } = unsavedOf(flow.id) ?? {};
      this.#begin(base, text, base === stored ? undefined : stored);
    } catch (error) {
      this.setState({ fault: messageOf(error) });
    }
  }

  /** Shows what others have saved, unless something was typed here. Returns whether the base is what the service has. */
  async #compare(): Promise<boolean> {
    const { workspace, flow } = this.props;
    const { base: before } = this.state;
    const stored = await readFlowJson(workspace, flow.id);
    const { text, saved, base } = this.state;
    // Until the first reading ends there is nothing to compare.
    if (base === undefined) return false;
    // Another save may have happened meanwhile, before or after this one.
    if (base !== before) return this.#compare();
    if (stored === base) return true;
    if (text === saved) this.#begin(stored);
    else this.setState({ elsewhere: stored });
    return false;
  }

  /** Goes on from a Flow JSON of the service, with a text that may differ from it in the field. */
  #begin(base: string, text = base, elsewhere?: string): void {
    this.setState({ saved: base, base, elsewhere, fault: undefined });
    this.#setText(text, base, base);
  }

  /** The state that has just been set is not there yet, so who sets it also passes its values. */
  #setText(text: string, saved = this.state.saved, base = this.state.base ?? ''): void {
    const { flow, changed } = this.props;
    this.setState({ text });
    changed(text);
    keepUnsaved(flow.id, text === saved ? undefined : { text, base });
  }

  readonly #save = async () => {
    const { workspace, flow } = this.props;
    const { text = '' } = this.state;
    const base = await saveFlowJson(workspace, flow.id, text);
    this.#confirm.current?.close();
    this.setState({ saved: text, base, elsewhere: undefined });
    // Something may have been typed meanwhile.
    const { text: typed = '' } = this.state;
    keepUnsaved(flow.id, typed === text ? undefined : { text: typed, base });
  };

  readonly #askOrSave = async () => {
    if (!(await this.#compare())) return;
    if (this.props.flow.status.code === 'DRAFT') await this.#save();
    else this.#confirm.current?.showModal();
  };

  /** Validating a long text takes time, and the page is drawn whenever anything happens. */
  #findings(text: string): FoundIn {
    if (this.#checked?.text !== text) this.#checked = { text, found: validateFlowJson(text) };
    return this.#checked.found;
  }

  override render({ workspace, flow, send }: FlowEditorProps, { text, saved, elsewhere, fault }: EditorState) {
    if (fault !== undefined) {
      return (
        <section class="card" aria-label="Flow JSON">
          <p class="fault" role="alert">
            {fault}
          </p>
          <div class="row">
            <ActionButton act={() => this.#open()}>Try again</ActionButton>
          </div>
        </section>
      );
    }
    if (text === undefined) return <p class="dim">Reading the Flow…</p>;
    const { errors, warnings } = this.#findings(text);
    const { code, description } = flow.status;
    const isEditable = code === 'DRAFT' || code === 'PUBLISHED';
    const isSavable = isObject(parseJson(text));
    const goTo = (finding: Finding) => this.#field.current?.select(finding);
    return (
      <>
        <header class="flow-bar">
          <h2>{flow.name}</h2>
          <StatusOfFlow status={flow.status} />
          {text !== saved && <Badge tone="warn">not saved</Badge>}
          {text !== saved && send && <small class="dim">A phone gets the Flow as it was saved.</small>}
          <FindingCount errors={errors} warnings={warnings} goTo={goTo} />
          <div class="row">
            <ActionButton
              kind="primary"
              disabled={text === saved || !isSavable || !isEditable || elsewhere !== undefined}
              act={this.#askOrSave}
            >
              Save
            </ActionButton>
            {code === 'DRAFT' && (
              <ActionButton disabled={text !== saved || errors.length > 0} act={() => publish(workspace, flow.id)}>
                Publish
              </ActionButton>
            )}
            {send}
          </div>
          {!isSavable && <p class="dim">Only a JSON object can be saved. What you type stays in this tab.</p>}
          {!isEditable && (
            <p class="dim">The platform allows no changes to a Flow that is {description.toLowerCase()}.</p>
          )}
        </header>
        <section class="flow-json" aria-label="Flow JSON">
          {elsewhere !== undefined && (
            <div class="card" role="alert">
              <p class="fault">This Flow was saved elsewhere after you opened it, so your text is not saved.</p>
              <div class="row">
                <button type="button" onClick={() => this.#begin(elsewhere, text)}>
                  Keep my text
                </button>
                <button type="button" class="danger" onClick={() => this.#begin(elsewhere)}>
                  Discard it and show the other
                </button>
              </div>
            </div>
          )}
          <TextField
            ref={this.#field}
            text={text}
            errors={errors}
            warnings={warnings}
            change={(typed) => this.#setText(typed)}
          />
          <Findings text={text} errors={errors} warnings={warnings} goTo={goTo} />
          <dialog class="confirm" ref={this.#confirm} aria-labelledby="confirm-title">
            <h2 id="confirm-title">Make this Flow a draft?</h2>
            <p>It is published. Saving makes it a draft, and messages cannot send it until you publish it again.</p>
            <div class="row">
              <ActionButton kind="danger" act={this.#save}>
                Save as a draft
              </ActionButton>
              <button type="button" onClick={() => this.#confirm.current?.close()}>
                Cancel
              </button>
            </div>
          </dialog>
        </section>
      </>
    );
  }
}
