import { Component, createRef } from 'preact';
import { listOf, own } from '#shared/base/json.ts';
import { imageDataUrl } from '#shared/flow-json/document/values.ts';
import type { Say } from './say.ts';
import { asText, type ComponentProps, idOf } from './ui.ts';

interface PictureProps {
  readonly source: unknown;
  readonly alt: string;
  readonly say: Say;
  readonly class?: string;
  readonly style?: Record<string, string>;
}

/** An image from the Flow JSON, or a box that says that it is not an image. */
export function Picture({ source, alt, say, class: classes = '', style = {} }: PictureProps) {
  const url = imageDataUrl(asText(source));
  if (url === undefined) return <div class="box">{alt || say('noImage')}</div>;
  return <img class={`picture ${classes}`} style={style} src={url} alt={alt} />;
}

export function Image({ component, ui }: ComponentProps) {
  const property = (name: string) => own(component.properties, name);
  const length = (name: string) => (typeof property(name) === 'number' ? `${property(name)}px` : '');
  const ratio = property('aspect-ratio');
  const style = {
    width: length('width'),
    height: length('height'),
    aspectRatio: typeof ratio === 'number' && ratio > 0 && !length('height') ? String(ratio) : '',
  };
  const cover = property('scale-type') === 'cover' ? 'cover' : '';
  return (
    <Picture source={property('src')} alt={asText(property('alt-text'))} say={ui.say} class={cover} style={style} />
  );
}

export class ImageCarousel extends Component<ComponentProps, { at: number }> {
  override state = { at: 0 };
  readonly #list = createRef<HTMLUListElement>();

  override render({ component, ui }: ComponentProps, { at }: { at: number }) {
    const { properties } = component;
    const images = listOf(own(properties, 'images'));
    const cover = own(properties, 'scale-type') === 'cover' ? 'cover' : '';
    if (images.length === 0) return <div class="box">{ui.say('noImage')}</div>;
    const turn = (name: 'previous' | 'next', to: number) => (
      <button type="button" class="quiet" disabled={to < 0 || to >= images.length} onClick={() => this.#show(to)}>
        {ui.say(name)}
      </button>
    );
    return (
      <section class="carousel" aria-roledescription="carousel" aria-labelledby={idOf(component, 'at')}>
        <ul
          ref={this.#list}
          // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable with the keyboard.
          tabIndex={0}
          class={own(properties, 'aspect-ratio') === '16:9' ? 'wide' : ''}
          onScroll={({ currentTarget: { scrollLeft, clientWidth } }) =>
            this.setState({ at: Math.abs(Math.round(scrollLeft / clientWidth)) })
          }
        >
          {images.map((image) => (
            <li>
              <Picture source={own(image, 'src')} alt={asText(own(image, 'alt-text'))} say={ui.say} class={cover} />
            </li>
          ))}
        </ul>
        <div class="controls">
          {turn('previous', at - 1)}
          <span id={idOf(component, 'at')} aria-live="polite">
            {ui.say('position', { at: at + 1, count: images.length })}
          </span>
          {turn('next', at + 1)}
        </div>
      </section>
    );
  }

  #show(at: number): void {
    this.#list.current?.children[at]?.scrollIntoView({ block: 'nearest', inline: 'center' });
  }
}
