import { own } from '#shared/base/json/json-object.ts';
import { asText, type ComponentProps, idOf, isDisabled, isTrue, nameOf, textOf } from '../ui.ts';
import { Field, inputAria } from './field.tsx';

/** HTML's `type` and `inputmode` for each `input-type`. Numbers are text, because browsers drop anything else. */
const inputTypes: Readonly<Record<string, { type: string; inputMode?: 'decimal' | 'numeric' }>> = {
  number: { type: 'text', inputMode: 'decimal' },
  email: { type: 'email' },
  password: { type: 'password' },
  passcode: { type: 'password', inputMode: 'numeric' },
  phone: { type: 'tel' },
};

export function TextInput({ component, ui }: ComponentProps) {
  const { properties } = component;
  const value = asText(ui.value(nameOf(component)));
  return (
    <Field component={component} ui={ui}>
      <input
        id={idOf(component)}
        {...(inputTypes[asText(own(properties, 'input-type'))] ?? { type: 'text' })}
        autoComplete="off"
        dir="auto"
        value={value}
        required={isTrue(component, 'required')}
        disabled={isDisabled(component)}
        onInput={({ currentTarget }) => ui.setValue(component, currentTarget.value)}
        {...inputAria(component, ui)}
      />
    </Field>
  );
}

export function TextArea({ component, ui }: ComponentProps) {
  const value = asText(ui.value(nameOf(component)));
  const max = textOf(component, 'max-length');
  const count = ui.say('characters', { count: value.length, max });
  return (
    <Field component={component} ui={ui} aside={<span class="count">{count}</span>}>
      <textarea
        id={idOf(component)}
        rows={4}
        dir="auto"
        value={value}
        required={isTrue(component, 'required')}
        disabled={isDisabled(component)}
        onInput={({ currentTarget }) => ui.setValue(component, currentTarget.value)}
        {...inputAria(component, ui)}
      />
    </Field>
  );
}
