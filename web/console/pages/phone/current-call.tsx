import { Component } from 'preact';
import type { Call } from '#local/console/console-values.ts';
import { ActionButton } from '../../parts/action-button.tsx';
import type { Snapshot } from '../../snapshot.ts';
import { durationText, isIncoming, rings, stateText } from './call-state.ts';
import { keyOf } from './chats.ts';
import { actOnCall } from './contact-acts.ts';
import { personName } from './names.ts';

interface CurrentCallProps {
  readonly call: Call;
  readonly snapshot: Snapshot;
}

/** A call that goes on, with what the contact can do about it. */
export class CurrentCall extends Component<CurrentCallProps> {
  #timer: ReturnType<typeof setInterval> | undefined;

  override componentDidMount() {
    this.#timer = setInterval(() => this.forceUpdate(), 1_000);
  }

  override componentWillUnmount() {
    clearInterval(this.#timer);
  }

  override render({ call, snapshot }: CurrentCallProps) {
    const canAnswer = rings(call) && isIncoming(call);
    return (
      <section class="row current-call" aria-label="Call">
        <p>
          <span role="status">
            {isIncoming(call) ? 'Incoming call' : 'Your call'}: {stateText(call)}
          </span>{' '}
          {durationText(call, Date.now())}{' '}
          <a href={`#/phone/${keyOf({ phoneNumberId: call.phone_number_id, contact: call.contact })}`}>
            {personName(call.contact, snapshot)}
          </a>
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
