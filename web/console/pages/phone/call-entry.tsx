import { Component } from 'preact';
import type { Call, SdpFinding } from '#local/console/console-values.ts';
import { messageOf, sendJson } from '../../http.ts';
import { ActionButton } from '../../parts/action-button.tsx';
import { Icon } from '../../parts/icon.tsx';
import { Badge, Json, Time } from '../../parts/text.tsx';
import type { Snapshot } from '../../snapshot.ts';
import { durationText, isIncoming, stateText } from './call-state.ts';
import { type Moment, timelineOf } from './call-timeline.ts';
import { actOnCall } from './contact-acts.ts';

interface CallEntryProps {
  readonly call: Call;
  readonly snapshot: Snapshot;
}

/** A call in the chat, with its timeline. */
export class CallEntry extends Component<CallEntryProps, { isOpen: boolean }> {
  override state = { isOpen: false };

  override render({ call, snapshot }: CallEntryProps, { isOpen }: { isOpen: boolean }) {
    const isMissed = call.state === 'ENDED' && call.connected_at === null && !isIncoming(call);
    return (
      <li class={`bubble call ${isIncoming(call) ? 'other' : 'own'}`} data-state={call.state}>
        <p class="tile">
          <span class={call.state === 'ENDED' && call.connected_at === null ? 'fault' : ''}>
            <Icon name="call" />
          </span>
          <span>
            <b>{isIncoming(call) ? 'Incoming call' : 'Your call'}</b>
            <small class="dim">
              <span>{stateText(call)}</span> {call.state === 'ENDED' && durationText(call, 0)}
            </small>
          </span>
        </p>
        {isMissed && (
          <ActionButton kind="quiet" act={() => actOnCall(call.id, 'voicemail')}>
            Leave a voicemail
          </ActionButton>
        )}
        <details onToggle={({ currentTarget }) => this.setState({ isOpen: currentTarget.open })}>
          <summary>Timeline</summary>
          {isOpen && (
            <ol class="timeline">
              {timelineOf(call, snapshot).map(({ at, text, detail, sdp }) => (
                <li key={`${at} ${text}`}>
                  <details>
                    <summary>
                      <Time at={at} /> {text}
                    </summary>
                    <Json value={sdp?.text ?? detail} label={text} />
                  </details>
                  {sdp !== undefined && <Findings {...sdp} />}
                </li>
              ))}
            </ol>
          )}
        </details>
        <p class="meta">
          <Time at={call.started_at} isShort />
        </p>
      </li>
    );
  }
}

interface FindingsState {
  found?: readonly SdpFinding[];
  fault?: string;
}

/** What the service would find in an SDP. */
class Findings extends Component<NonNullable<Moment['sdp']>, FindingsState> {
  override state: FindingsState = {};

  override async componentDidMount() {
    const { text: sdp, type, connection } = this.props;
    try {
      const { data } = await sendJson<{ data: SdpFinding[] }>('POST', '/console/sdp-check', { sdp, type, connection });
      this.setState({ found: data });
    } catch (error) {
      this.setState({ fault: messageOf(error) });
    }
  }

  override render(_: unknown, { found, fault }: FindingsState) {
    if (fault !== undefined) return <p class="fault">{fault}</p>;
    if (found === undefined) return undefined;
    if (found.length === 0) return <p class="no-findings dim">Nothing is wrong with this SDP.</p>;
    return (
      <ul class="findings">
        {found.map(({ name, text }) => (
          <li>
            <Badge tone="warn">{name}</Badge> {text}
          </li>
        ))}
      </ul>
    );
  }
}
