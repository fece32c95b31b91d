import { lookUp } from './shapes.ts';

/** What an input holds: `period` is a date, or an object of two, `media` a list of uploaded files. */
export type InputKind = 'string' | 'strings' | 'boolean' | 'period' | 'media';

/** The components that a user fills in. */
const inputKinds: Readonly<Record<string, InputKind>> = {
  TextInput: 'string',
  TextArea: 'string',
  CheckboxGroup: 'strings',
  RadioButtonsGroup: 'string',
  ChipsSelector: 'strings',
  Dropdown: 'string',
  DatePicker: 'string',
  CalendarPicker: 'period',
  OptIn: 'boolean',
  PhotoPicker: 'media',
  DocumentPicker: 'media',
};

/** Undefined for what is no input. */
export function inputKindOf(type: string): InputKind | undefined {
  return lookUp(inputKinds, type);
}

/** The values of a TextInput's `input-type` that go with a `pattern`. */
export const inputTypesWithPattern: readonly string[] = ['text', 'number', 'password', 'passcode'];
