import { own } from '#shared/base/json.ts';
import { lookUp } from '#shared/flow-json/document/shapes.ts';
import { EmbeddedLink, Footer, NavigationList } from './actions.tsx';
import { Boundary } from './boundary.ts';
import { Choices, Dropdown, OptIn } from './fields/choices.tsx';
import { CalendarPicker, DatePicker } from './fields/dates.tsx';
import { TextArea, TextInput } from './fields/text-inputs.tsx';
import { FilePicker } from './fields/uploads.tsx';
import { Image, ImageCarousel } from './image-views.tsx';
import { RichText, TextBody, TextHeading, TextSubheading } from './text-views.tsx';
import type { ComponentProps, View } from './ui.ts';

/** The view of each component. Forms, Ifs and Switches are already resolved. */
const views: Readonly<Record<string, View>> = {
  TextHeading,
  TextSubheading,
  TextBody,
  TextCaption: TextBody,
  RichText,
  TextInput,
  TextArea,
  CheckboxGroup: Choices,
  RadioButtonsGroup: Choices,
  ChipsSelector: Choices,
  Dropdown,
  DatePicker,
  CalendarPicker,
  OptIn,
  EmbeddedLink,
  Footer,
  Image,
  ImageCarousel,
  NavigationList,
  PhotoPicker: FilePicker,
  DocumentPicker: FilePicker,
};

/** Draws any component. One that is unknown, or whose properties cannot be drawn, becomes a labelled box. */
export function ComponentView({ component, ui }: ComponentProps) {
  const { type, properties } = component;
  const View = lookUp(views, type);
  const label = own(properties, 'label') ?? own(properties, 'text');
  const box = (
    <div class="box">
      {ui.say(View ? 'failed' : 'unknown', { type: type || '?' })}
      {typeof label === 'string' && <small>{label}</small>}
    </div>
  );
  return <Boundary instead={box}>{View ? <View component={component} ui={ui} /> : box}</Boundary>;
}
