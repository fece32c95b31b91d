import { Component } from 'preact';
import { listOf, own } from '#shared/base/json.ts';
import { isColor } from '#shared/flow-json/document/values.ts';
import type { VisibleComponent } from '#shared/flow-json/play/resolve-values.ts';
import { Picture } from '../image-views.tsx';
import { Sheet } from '../sheet.tsx';
import { asText, type ComponentProps, idOf, isDisabled, isTrue, nameOf, textIn, textOf, type Ui } from '../ui.ts';
import { Field, Group, inputAria, Notes } from './field.tsx';

const optionsOf = ({ properties }: VisibleComponent) => listOf(own(properties, 'data-source'));

const idOfOption = (option: unknown): string => asText(own(option, 'id'));

/** A CheckboxGroup and a ChipsSelector allow several choices, a RadioButtonsGroup one. */
export function Choices({ component, ui }: ComponentProps) {
  const isMany = component.type !== 'RadioButtonsGroup';
  const value = ui.value(nameOf(component));
  const chosen = (Array.isArray(value) ? value : [value]).map(asText);
  const choose = (id: string) => {
    const others = chosen.filter((other) => other !== id);
    const toggled = others.length < chosen.length ? others : [...chosen, id];
    ui.setValue(component, isMany ? toggled : id);
  };
  const limit = (end: string) => own(component.properties, `${end}-selected-items`);
  return (
    <Group component={component} ui={ui} min={limit('min')} max={limit('max')}>
      <div class={component.type === 'ChipsSelector' ? 'chips' : ''}>
        {optionsOf(component).map((option) => {
          const id = idOfOption(option);
          return (
            <Choice
              {...{ component, ui, option }}
              type={isMany ? 'checkbox' : 'radio'}
              isChosen={chosen.includes(id)}
              choose={() => choose(id)}
            />
          );
        })}
      </div>
    </Group>
  );
}

interface ChoiceProps extends ComponentProps {
  readonly option: unknown;
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
        <span>{textIn(option, 'title')}</span>
        <small>{textIn(option, 'description')}</small>
      </span>
      <small>{textIn(option, 'metadata')}</small>
      <input
        type={type}
        name={idOf(component)}
        checked={isChosen}
        disabled={isDisabled(component) || own(option, 'enabled') === false}
        onChange={choose}
      />
    </label>
  );
}

function OptionMedia({ option, ui }: { option: unknown; ui: Ui }) {
  const [image = '', alt = '', color = ''] = ['image', 'alt-text', 'color'].map((name) => asText(own(option, name)));
  if (image) return <Picture source={image} alt={alt} say={ui.say} class="cover" />;
  if (!isColor(color)) return null;
  return <span class="swatch" role="img" aria-label={alt || color} style={{ background: color }} />;
}

/** A field that opens a sheet with its options. With the keyboard, it is a list of the browser's. */
export class Dropdown extends Component<ComponentProps, { isOpen: boolean }> {
  override state = { isOpen: false };

  override render({ component, ui }: ComponentProps, { isOpen }: { isOpen: boolean }) {
    const options = optionsOf(component);
    const chosen = asText(ui.value(nameOf(component)));
    const current = options.find((option) => idOfOption(option) === chosen);
    const choose = (id: string) => ui.setValue(component, id);
    return (
      <Field component={component} ui={ui}>
        <select
          id={idOf(component)}
          class={chosen === '' ? 'empty' : ''}
          value={chosen}
          required={isTrue(component, 'required')}
          disabled={isDisabled(component)}
          onMouseDown={(event) => {
            // Not the browser's own list.
            event.preventDefault();
            event.currentTarget.focus();
          }}
          onClick={() => this.setState({ isOpen: true })}
          onChange={({ currentTarget }) => choose(currentTarget.value)}
          {...inputAria(component, ui)}
        >
          <option value="">{ui.say('choose')}</option>
          {options.map((option) => {
            const title = [textIn(option, 'title'), textIn(option, 'metadata')].filter(Boolean).join(' · ');
            return (
              <option value={idOfOption(option)} disabled={own(option, 'enabled') === false}>
                {title}
              </option>
            );
          })}
        </select>
        {current !== undefined && (
          <div class="chosen">
            <OptionMedia option={current} ui={ui} />
            <small dir="auto">{textIn(current, 'description')}</small>
          </div>
        )}
        {isOpen && (
          <Sheet label={textOf(component, 'label')} say={ui.say} close={() => this.setState({ isOpen: false })}>
            {options.map((option) => (
              <button
                type="button"
                class="option"
                aria-pressed={idOfOption(option) === chosen}
                autofocus={idOfOption(option) === chosen}
                disabled={own(option, 'enabled') === false}
                onClick={() => {
                  choose(idOfOption(option));
                  this.setState({ isOpen: false });
                }}
              >
                <OptionMedia option={option} ui={ui} />
                <span class="words" dir="auto">
                  <span>{textIn(option, 'title')}</span>
                  <small>{textIn(option, 'description')}</small>
                </span>
                <small>{textIn(option, 'metadata')}</small>
                <span class="radio" />
              </button>
            ))}
          </Sheet>
        )}
      </Field>
    );
  }
}

export function OptIn({ component, ui }: ComponentProps) {
  const action = own(component.properties, 'on-click-action');
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
          <label for={idOf(component)}>{textOf(component, 'label')}</label>{' '}
          {action !== undefined && (
            <button type="button" class="link" onClick={() => ui.act(action)}>
              {ui.say('readMore')}
            </button>
          )}
        </span>
      </div>
      <Notes component={component} ui={ui} />
    </div>
  );
}
