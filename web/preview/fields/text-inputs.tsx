import type { TargetedInputEvent } from 'preact';
import type { VisibleComponent } from '#shared/flow-json/play/resolve-values.ts';
import { asText, type ComponentProps, idOf, isDisabled, isTrue, nameOf, textOf, type Ui } from '../ui.ts';
import { Field, inputAria } from './field.tsx';

/** HTML's `type` and `inputmode` for each `input-type`. Numbers are text, because browsers drop anything else. */
const inputTypes: Readonly<Record<string, { type: string; inputMode?: 'decimal' | 'numeric' }>> = {
  number: { type: 'text', inputMode: 'decimal' },
  email: { type: 'email' },
  password: { type: 'password' },
  passcode: { type: 'password', inputMode: 'numeric' },
  phone: { type: 'tel' },
};

/** What both have in common. */
function textProps(component: VisibleComponent, ui: Ui) {
  return {
    id: idOf(component),
    dir: 'auto' as const,
    // Tells the styles that the field is empty.
    placeholder: ' ',
    value: asText(ui.value(nameOf(component))),
    required: isTrue(component, 'required'),
    disabled: isDisabled(component),
    onInput: ({ currentTarget }: TargetedInputEvent<HTMLInputElement | HTMLTextAreaElement>) =>
      ui.setValue(component, currentTarget.value),
    ...inputAria(component, ui),
  };
}

export function TextInput({ component, ui }: ComponentProps) {
  return (
    <Field component={component} ui={ui}>
      <input
        {...(inputTypes[textOf(component, 'input-type')] ?? { type: 'text' })}
        autoComplete="off"
        {...textProps(component, ui)}
      />
    </Field>
  );
}

export function TextArea({ component, ui }: ComponentProps) {
  const props = textProps(component, ui);
  const count = ui.say('characters', { count: props.value.length, max: textOf(component, 'max-length') });
  return (
    <Field component={component} ui={ui} aside={<span class="count">{count}</span>}>
      <textarea rows={4} {...props} />
    </Field>
  );
}
