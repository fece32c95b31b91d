import { lookUp } from './shapes.ts';

/** What an input holds: a `period` is a date or an object with two dates, `media` is a list of uploaded files. */
export type InputKind = 'string' | 'strings' | 'boolean' | 'period' | 'media';

/** The components that users fill in. */
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

/** Undefined for a component that is not an input. */
export function inputKindOf(type: string): InputKind | undefined {
  return lookUp(inputKinds, type);
}

/** The values of a TextInput's `input-type` that allow a `pattern`. */
export const inputTypesWithPattern: readonly string[] = ['text', 'number', 'password', 'passcode'];
