import type { ComponentChildren } from 'preact';
import type { VisibleComponent } from '#shared/flow-json/play/resolve-values.ts';
import { asText, type ComponentProps, idOf, textOf, type Ui } from '../ui.ts';

interface FieldProps {
  readonly component: VisibleComponent;
  readonly ui: Ui;
  readonly children: ComponentChildren;
  /** Shown beside the helper text, for example a count of characters. */
  readonly aside?: ComponentChildren;
}

/** A label, an input, and its helper text or error. */
export function Field({ component, ui, children, aside }: FieldProps) {
  const isLarge = component.properties['label-variant'] === 'large';
  return (
    <div class={`field ${isLarge ? '' : 'floating'}`}>
      <label for={idOf(component)} id={idOf(component, 'label')} class={isLarge ? 'large' : ''} dir="auto">
        <Label component={component} ui={ui} />
      </label>
      {children}
      <Notes component={component} ui={ui} aside={aside} />
    </div>
  );
}

interface GroupProps extends Omit<FieldProps, 'aside'> {
  /** How many options may be chosen, as the Flow JSON says. */
  readonly min?: unknown;
  readonly max?: unknown;
}

/** The same for an input with several controls. */
export function Group({ component, ui, children, min, max }: GroupProps) {
  const { say } = ui;
  const description = textOf(component, 'description');
  const limits = [
    Number(min) > 0 && say('atLeast', { min: asText(min) }),
    max !== undefined && say('atMost', { max: asText(max) }),
  ];
  return (
    <fieldset
      id={idOf(component)}
      class="field"
      {...inputAria(component, ui)}
      aria-describedby={`${idOf(component, 'about')} ${idOf(component, 'notes')}`}
      tabIndex={-1}
    >
      <legend id={idOf(component, 'label')} dir="auto">
        <Label component={component} ui={ui} limits={limits} />
      </legend>
      {description && (
        <p class="caption" id={idOf(component, 'about')} dir="auto">
          {description}
        </p>
      )}
      {children}
      <Notes component={component} ui={ui} />
    </fieldset>
  );
}

interface LabelProps extends ComponentProps {
  readonly limits?: readonly (string | false)[];
}

function Label({ component, ui, limits = [] }: LabelProps) {
  const notes = [isOptional(component) && ui.say('optional'), ...limits].filter(Boolean);
  return (
    <>
      {textOf(component, 'label')}
      {notes.length > 0 && <small> · {notes.join(' · ')}</small>}
    </>
  );
}

/** Each date of a period may be required on its own. Files are required if their minimum is above 0. */
export function isOptional({ properties }: VisibleComponent): boolean {
  const { required } = properties;
  const min = properties['min-uploaded-photos'] ?? properties['min-uploaded-documents'] ?? 0;
  return required !== true && typeof required !== 'object' && !(Number(min) > 0);
}

/** What is wrong with an input or, if nothing is, how to fill it in. */
export function Notes({ component, ui, aside }: ComponentProps & Pick<FieldProps, 'aside'>) {
  const fault = ui.fault(component);
  return (
    <div class="notes" id={idOf(component, 'notes')}>
      {fault !== undefined ? (
        <span class="fault" role="alert" dir="auto">
          {fault}
        </span>
      ) : (
        <span dir="auto">{textOf(component, 'helper-text')}</span>
      )}
      {aside}
    </div>
  );
}

/** The attributes that connect an input with its description. */
export function inputAria(component: VisibleComponent, ui: Ui) {
  return {
    'aria-describedby': idOf(component, 'notes'),
    ...(ui.fault(component) !== undefined && { 'aria-invalid': true }),
  };
}
