import { listOf, own } from '#shared/base/json.ts';
import { Picture } from './image-views.tsx';
import { asText, type ComponentProps, idOf, isDisabled, textIn, textOf, type Ui } from './ui.ts';

export const EmbeddedLink = ({ component, ui }: ComponentProps) => (
  <button type="button" class="link" dir="auto" onClick={() => ui.act(own(component.properties, 'on-click-action'))}>
    {textOf(component, 'text')}
  </button>
);

/** The button can always be focused: if it is pressed too early, it leads to the missing input. */
export function Footer({ component, ui }: ComponentProps) {
  const press = () => {
    if (!isDisabled(component)) ui.submit(own(component.properties, 'on-click-action'));
  };
  return (
    <footer>
      <div class="captions">
        {['left', 'center', 'right'].map((place) => (
          <span dir="auto">{textOf(component, `${place}-caption`)}</span>
        ))}
      </div>
      <button type="button" class="primary" dir="auto" aria-disabled={isDisabled(component)} onClick={press}>
        {textOf(component, 'label')}
      </button>
    </footer>
  );
}

export function NavigationList({ component, ui }: ComponentProps) {
  const { properties } = component;
  const label = textOf(component, 'label');
  const description = textOf(component, 'description');
  const size = own(properties, 'media-size') === 'large' ? 'large-media' : '';
  return (
    <section class="navigation" {...(label && { 'aria-labelledby': idOf(component) })}>
      {label && (
        <h2 class="subheading" id={idOf(component)} dir="auto">
          {label}
        </h2>
      )}
      {description && <p class="caption">{description}</p>}
      <ul>
        {listOf(own(properties, 'list-items')).map((item) => (
          <li>
            <NavigationItem item={item} ui={ui} size={size} action={own(properties, 'on-click-action')} />
          </li>
        ))}
      </ul>
    </section>
  );
}

function NavigationItem({ item, ui, size, action }: { item: unknown; ui: Ui; size: string; action: unknown }) {
  const [main, start, end] = ['main-content', 'start', 'end'].map((part) => own(item, part));
  return (
    <button type="button" class={`item ${size}`} onClick={() => ui.act(own(item, 'on-click-action') ?? action)}>
      {start !== undefined && (
        <Picture source={own(start, 'image')} alt={asText(own(start, 'alt-text'))} say={ui.say} class="cover" />
      )}
      <span class="words" dir="auto">
        <span>
          {textIn(main, 'title')} {own(item, 'badge') !== undefined && <em class="badge">{textIn(item, 'badge')}</em>}
        </span>
        <small>{textIn(main, 'description')}</small>
        <small>{textIn(main, 'metadata')}</small>
        <span class="tags">
          {listOf(own(item, 'tags')).map((tag) => (
            <span>{asText(tag)}</span>
          ))}
        </span>
      </span>
      {end !== undefined && (
        <span class="words end" dir="auto">
          {['title', 'description', 'metadata'].map((name) => (
            <small>{textIn(end, name)}</small>
          ))}
        </span>
      )}
    </button>
  );
}
