import { Component, type ComponentChildren } from 'preact';
import { own } from '../../shared/flow-json/json.ts';
import { EmbeddedLink, Footer, NavigationList } from './actions.tsx';
import { CheckboxGroup, ChipsSelector, Dropdown, OptIn, RadioButtonsGroup } from './choices.tsx';
import { CalendarPicker, DatePicker } from './dates.tsx';
import { Image, ImageCarousel } from './image-views.tsx';
import { TextArea, TextInput } from './text-inputs.tsx';
import { RichText, TextBody, TextHeading, TextSubheading } from './text-views.tsx';
import type { ComponentProps, View } from './ui.ts';
import { DocumentPicker, PhotoPicker } from './uploads.tsx';

/** What draws each component; Forms, Ifs and Switches are resolved before. */
const views: ReadonlyMap<string, View> = new Map<string, View>([
  ['TextHeading', TextHeading],
  ['TextSubheading', TextSubheading],
  ['TextBody', TextBody],
  ['TextCaption', TextBody],
  ['RichText', RichText],
  ['TextInput', TextInput],
  ['TextArea', TextArea],
  ['CheckboxGroup', CheckboxGroup],
  ['RadioButtonsGroup', RadioButtonsGroup],
  ['ChipsSelector', ChipsSelector],
  ['Dropdown', Dropdown],
  ['DatePicker', DatePicker],
  ['CalendarPicker', CalendarPicker],
  ['OptIn', OptIn],
  ['EmbeddedLink', EmbeddedLink],
  ['Footer', Footer],
  ['Image', Image],
  ['ImageCarousel', ImageCarousel],
  ['NavigationList', NavigationList],
  ['PhotoPicker', PhotoPicker],
  ['DocumentPicker', DocumentPicker],
]);

/** Draws any component: one that is unknown, or whose properties are such that it cannot be drawn, as a labelled box. */
export class ComponentView extends Component<ComponentProps, { failed?: boolean }> {
  static override getDerivedStateFromError = () => ({ failed: true });

  override render({ component, ui }: ComponentProps): ComponentChildren {
    const { type, properties } = component;
    const View = views.get(type);
    if (View && !this.state.failed) return <View component={component} ui={ui} />;
    const label = own(properties, 'label') ?? own(properties, 'text');
    return (
      <div class="box">
        {ui.say(View ? 'failed' : 'unknown', { type: type || '?' })}
        {typeof label === 'string' && <small>{label}</small>}
      </div>
    );
  }
}
