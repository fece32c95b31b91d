import type { ReceivedWebhook, SignatureState } from '#local/console/console-values.ts';
import { Command } from '../../parts/command.tsx';
import { Badge, Json, Time, type Tone } from '../../parts/text.tsx';

interface SignatureText {
  readonly tone: Tone;
  readonly text: string;
  /** What it means, and what to do. */
  readonly advice?: string;
}

const signatureTexts: Readonly<Record<SignatureState, SignatureText>> = {
  right: { tone: 'good', text: 'signature is right' },
  old: {
    tone: 'warn',
    text: 'signature is right, but old',
    advice:
      'It is right for the time in webhook-timestamp, which is more than five minutes away. A receiver should reject it, as somebody may have replayed it.',
  },
  'former-secret': {
    tone: 'bad',
    text: 'signature is wrong: former secret',
    advice: 'It was made with a secret that has been rotated away.',
  },
  'changed-body': {
    tone: 'bad',
    text: 'signature is wrong: changed body',
    advice:
      'It fits the body in the delivery log, not the one that arrived. Something in between has changed the body.',
  },
  wrong: {
    tone: 'bad',
    text: 'signature is wrong: other secret',
    advice: 'No secret of this webhook matches it. It was made with another secret, or its id or time was changed.',
  },
  missing: {
    tone: 'bad',
    text: 'not signed',
    advice: 'It has no webhook-signature header, so the service did not send it.',
  },
  'unknown-subscriber': { tone: 'warn', text: 'its subscriber does not exist any more' },
};

/** A webhook as it arrived at the built-in receiver. */
export function Arrived({ webhook, isOpen }: { webhook: ReceivedWebhook; isOpen: boolean }) {
  const { tone, text, advice } = signatureTexts[webhook.signature];
  return (
    <details class="arrived" open={isOpen}>
      <summary>
        <Time at={webhook.at} />{' '}
        <Badge tone={webhook.status === 200 ? 'good' : 'bad'}>{webhook.status ?? 'no response'}</Badge>{' '}
        <Badge tone={tone}>{text}</Badge> <span class="dim">{webhook.bytes} bytes</span>
      </summary>
      {advice !== undefined && <p>{advice}</p>}
      <Json value={webhook.body} label="Body as it arrived" />
      <details>
        <summary>Exactly as it arrived: {webhook.bytes} bytes</summary>
        <Command text={webhook.body} />
      </details>
      <details>
        <summary>Headers</summary>
        <table>
          <caption class="visually-hidden">Headers</caption>
          <tbody>
            {Object.entries(webhook.headers).map(([name, value]) => (
              <tr>
                <th scope="row" class="dim">
                  {name}
                </th>
                <td>
                  <code>{value}</code>
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </details>
    </details>
  );
}
