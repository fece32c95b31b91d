import type { ComponentChildren } from 'preact';
import { own } from '#shared/base/json.ts';
import { type Block, type Inline, type InlineStyle, parseMarkdown } from '#shared/flow-json/play/markdown.ts';
import { asText, type ComponentProps, isTrue, textOf } from './ui.ts';

export const TextHeading = ({ component }: ComponentProps) => (
  <h2 class="heading" dir="auto">
    {textOf(component, 'text')}
  </h2>
);

export const TextSubheading = ({ component }: ComponentProps) => (
  <h3 class="subheading" dir="auto">
    {textOf(component, 'text')}
  </h3>
);

export function TextBody({ component }: ComponentProps) {
  const { type, properties } = component;
  const classes = `${type === 'TextCaption' ? 'caption' : 'body'} ${isTrue(component, 'strikethrough') ? 'strike' : ''}`;
  const text = linesOf(own(properties, 'text'));
  return (
    <div class={classes} data-weight={textOf(component, 'font-weight')} dir="auto">
      {isTrue(component, 'markdown') ? parseMarkdown(text, 'basic').map(drawBlock) : text.map((line) => <p>{line}</p>)}
    </div>
  );
}

export const RichText = ({ component }: ComponentProps) => (
  <div class="body rich" dir="auto">
    {parseMarkdown(linesOf(own(component.properties, 'text')), 'rich').map(drawBlock)}
  </div>
);

function linesOf(text: unknown): string[] {
  return (Array.isArray(text) ? text : [text]).map(asText);
}

function drawBlock(block: Block): ComponentChildren {
  switch (block.kind) {
    case 'heading':
      return block.level === 1 ? (
        <h2 class="heading">{block.children.map(drawInline)}</h2>
      ) : (
        <h3 class="subheading">{block.children.map(drawInline)}</h3>
      );
    case 'paragraph':
      return <p>{block.children.map(drawInline)}</p>;
    case 'list': {
      const items = block.items.map((item) => <li>{item.map(drawInline)}</li>);
      return block.isOrdered ? <ol>{items}</ol> : <ul>{items}</ul>;
    }
    case 'table':
      return (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable with the keyboard.
        <div class="table" tabIndex={0}>
          <table>
            {block.rows.map((row, index) => (
              <tr>
                {row.map((cell) =>
                  index === 0 ? <th scope="col">{cell.map(drawInline)}</th> : <td>{cell.map(drawInline)}</td>,
                )}
              </tr>
            ))}
          </table>
        </div>
      );
  }
}

const styleElements: Readonly<Record<InlineStyle, 'strong' | 'em' | 's'>> = {
  bold: 'strong',
  italic: 'em',
  strikethrough: 's',
};

function drawInline(node: Inline): ComponentChildren {
  switch (node.kind) {
    case 'text':
      return node.text;
    case 'link':
      return (
        <a href={node.href} target="_blank" rel="noopener noreferrer nofollow" title={new URL(node.href).host}>
          {node.children.map(drawInline)}
        </a>
      );
    case 'image':
      return <img src={node.src} alt={node.alt} />;
    default: {
      const Style = styleElements[node.kind];
      return <Style>{node.children.map(drawInline)}</Style>;
    }
  }
}
