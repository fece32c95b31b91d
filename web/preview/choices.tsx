import { listOf, own } from '../../shared/flow-json/json.ts';
import type { VisibleComponent } from '../../shared/flow-json/resolve.ts';
import { Field, Group, inputAria } from './field.tsx';
import { Picture } from './image-views.tsx';
import { asText, type ComponentProps, idOf, isDisabled, isTrue, nameOf, shorten, type Ui } from './ui.ts';

interface Option {
  readonly id: string;
  readonly title: string;
  readonly description: string;
  readonly metadata: string;
  readonly isEnabled: boolean;
  readonly image: unknown;
  readonly altText: string;
  readonly color: string;
}

/** More than any phone takes, less than what would hang a page. */
const maxOptions = 200;

function optionsOf({ properties }: VisibleComponent): Option[] {
  return listOf(own(properties, 'data-source'))
    .slice(0, maxOptions)
    .map((item) => ({
      id: asText(own(item, 'id')),
      title: shorten(asText(own(item, 'title')), 30),
      description: shorten(asText(own(item, 'description')), 300),
      metadata: shorten(asText(own(item, 'metadata')), 20),
      isEnabled: own(item, 'enabled') !== false,
      image: own(item, 'image'),
      altText: asText(own(item, 'alt-text')),
      color: asText(own(item, 'color')),
    }));
}

const idsIn = (value: unknown): readonly string[] => listOf(value).map(asText);

export const CheckboxGroup = (props: ComponentProps) => <ManyChoices {...props} />;

export const ChipsSelector = (props: ComponentProps) => <ManyChoices {...props} class="chips" />;

function ManyChoices({ component, ui, class: classes = '' }: ComponentProps & { class?: string }) {
  const chosen = idsIn(ui.value(nameOf(component)));
  const toggle = (id: string) =>
    ui.setValue(component, chosen.includes(id) ? chosen.filter((other) => other !== id) : [...chosen, id]);
  return (
    <Group component={component} ui={ui} limits={limitsOf(component, ui)}>
      <div class={`options ${classes}`}>
        {optionsOf(component).map((option) => (
          <Choice
            {...{ component, ui, option }}
            type="checkbox"
            isChosen={chosen.includes(option.id)}
            choose={() => toggle(option.id)}
          />
        ))}
      </div>
    </Group>
  );
}

export function RadioButtonsGroup({ component, ui }: ComponentProps) {
  const value = ui.value(nameOf(component));
  const chosen = asText(Array.isArray(value) ? value[0] : value);
  return (
    <Group component={component} ui={ui}>
      <div class="options">
        {optionsOf(component).map((option) => (
          <Choice
            {...{ component, ui, option }}
            type="radio"
            isChosen={chosen === option.id}
            choose={() => ui.setValue(component, option.id)}
          />
        ))}
      </div>
    </Group>
  );
}

function limitsOf({ properties }: VisibleComponent, { say }: Ui): string {
  const min = own(properties, 'min-selected-items');
  const max = own(properties, 'max-selected-items');
  const parts = [
    typeof min === 'number' && min > 0 && say('atLeast', { min }),
    typeof max === 'number' && say('atMost', { max }),
  ];
  return parts.filter(Boolean).join(', ');
}

interface ChoiceProps extends ComponentProps {
  readonly option: Option;
  readonly type: 'checkbox' | 'radio';
  readonly isChosen: boolean;
  readonly choose: () => void;
}

function Choice({ component, ui, option, type, isChosen, choose }: ChoiceProps) {
  const isLarge = own(component.properties, 'media-size') === 'large';
  return (
    <label class={`option ${isLarge ? 'large-media' : ''}`} dir="auto">
      <OptionMedia option={option} ui={ui} />
      <span class="words">
        <span>{option.title}</span>
        {option.description && <small>{option.description}</small>}
        {option.metadata && <small>{option.metadata}</small>}
      </span>
      <input
        type={type}
        name={idOf(component)}
        checked={isChosen}
        disabled={isDisabled(component) || !option.isEnabled}
        onChange={choose}
      />
    </label>
  );
}

function OptionMedia({ option, ui }: { option: Option; ui: Ui }) {
  if (option.image !== undefined)
    return <Picture source={option.image} alt={option.altText} say={ui.say} class="cover" />;
  if (!/^#[\da-f]{6}$/i.test(option.color)) return null;
  return (
    <span class="swatch" role="img" aria-label={option.altText || option.color} style={{ background: option.color }} />
  );
}

export function Dropdown({ component, ui }: ComponentProps) {
  const options = optionsOf(component);
  const chosen = asText(ui.value(nameOf(component)));
  const current = options.find(({ id }) => id === chosen);
  return (
    <Field component={component} ui={ui}>
      <select
        id={idOf(component)}
        value={chosen}
        required={isTrue(component, 'required')}
        disabled={isDisabled(component)}
        onChange={({ currentTarget }) => ui.setValue(component, currentTarget.value)}
        {...inputAria(component, ui)}
      >
        <option value="">{ui.say('choose')}</option>
        {options.map(({ id, title, metadata, isEnabled }) => (
          <option value={id} disabled={!isEnabled}>
            {metadata ? `${title} · ${metadata}` : title}
          </option>
        ))}
      </select>
      {current && (current.description || current.image !== undefined || current.color) && (
        <div class="chosen">
          <OptionMedia option={current} ui={ui} />
          <small dir="auto">{current.description}</small>
        </div>
      )}
    </Field>
  );
}

export function OptIn({ component, ui }: ComponentProps) {
  const action = own(component.properties, 'on-click-action');
  const fault = ui.fault(component);
  return (
    <div class="field">
      <div class="opt-in">
        <input
          id={idOf(component)}
          type="checkbox"
          checked={ui.value(nameOf(component)) === true}
          required={isTrue(component, 'required')}
          onChange={({ currentTarget }) => ui.setValue(component, currentTarget.checked)}
          {...inputAria(component, ui)}
        />
        <span dir="auto">
          <label for={idOf(component)}>{shorten(asText(own(component.properties, 'label')), 120)}</label>{' '}
          {action !== undefined && (
            <button type="button" class="link" onClick={() => ui.act(action)}>
              {ui.say('readMore')}
            </button>
          )}
        </span>
      </div>
      <div class="notes" id={idOf(component, 'notes')}>
        {fault !== undefined && (
          <span class="fault" role="alert">
            {fault}
          </span>
        )}
      </div>
    </div>
  );
}
