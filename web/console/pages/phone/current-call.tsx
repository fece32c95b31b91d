import { Component } from 'preact';
import { ActionButton } from '../../parts/action-button.tsx';
import { durationText, isIncoming, rings, stateText } from './call-state.ts';
import type { Chat } from './chats.ts';
import { actOnCall } from './contact-acts.ts';

interface CurrentCallProps {
  readonly chat: Chat;
  /** The call that the page shows above everything. */
  readonly ringing: string | undefined;
}

/** The call of this chat that goes on, with what the contact can do about it. */
export class CurrentCall extends Component<CurrentCallProps> {
  #timer: ReturnType<typeof setInterval> | undefined;

  override componentDidMount() {
    this.#timer = setInterval(() => this.forceUpdate(), 1_000);
  }

  override componentWillUnmount() {
    clearInterval(this.#timer);
  }

  override render({ chat, ringing }: CurrentCallProps) {
    const call = chat.entries.flatMap((entry) => (entry.kind === 'call' ? [entry.call] : [])).at(-1);
    if (call === undefined || call.state === 'ENDED' || call.id === ringing) return undefined;
    const canAnswer = rings(call) && isIncoming(call);
    return (
      <section class="current-call" aria-label="Call">
        <p>
          <span role="status">
            {isIncoming(call) ? 'Incoming call' : 'Your call'}: {stateText(call)}
          </span>{' '}
          {durationText(call, Date.now())}
        </p>
        {canAnswer ? (
          <AnswerButtons id={call.id} />
        ) : (
          <ActionButton kind="danger" act={() => actOnCall(call.id, 'hang-up')}>
            Hang up
          </ActionButton>
        )}
      </section>
    );
  }
}

/** What the contact can do when the business calls. */
export function AnswerButtons({ id }: { id: string }) {
  return (
    <div class="row">
      <ActionButton kind="primary" act={() => actOnCall(id, 'answer')}>
        Answer
      </ActionButton>
      <ActionButton kind="danger" act={() => actOnCall(id, 'reject')}>
        Reject
      </ActionButton>
      <ActionButton kind="quiet" act={() => actOnCall(id, 'no-answer')}>
        Let it ring out
      </ActionButton>
    </div>
  );
}
