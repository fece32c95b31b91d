import type { ShownDelivery } from '#local/console/console-values.ts';
import type { PageProps } from '../../page-view.ts';
import { Empty } from '../../parts/text.tsx';
import type { Snapshot } from '../../snapshot.ts';
import { AttemptStrip } from './attempt-strip.tsx';
import { DeliveryDetail } from './delivery-detail.tsx';
import { DeliveryList } from './delivery-list.tsx';
import { Receiver } from './receiver.tsx';
import { OpenBreakers, Webhooks } from './webhooks.tsx';

/** Shows every delivery as it happens, with the receiver that is built into the console above them. */
export function Inspector({ snapshot, rest: [chosen] }: PageProps) {
  const deliveries = [...snapshot.deliveries.values()].toSorted((one, other) => (ageOf(one) < ageOf(other) ? 1 : -1));
  const delivery = chosen === undefined ? undefined : snapshot.deliveries.get(chosen);
  return (
    <div class="inspector" data-chosen={chosen !== undefined}>
      <h1 class="visually-hidden">Inspector</h1>
      <div class="row tools">
        <Receiver behaviour={snapshot.receiver} strangers={strangersIn(snapshot)} />
        <Webhooks snapshot={snapshot} />
        <OpenBreakers snapshot={snapshot} />
      </div>
      <AttemptStrip snapshot={snapshot} />
      <DeliveryList deliveries={deliveries} snapshot={snapshot} chosen={chosen} />
      {delivery !== undefined ? (
        <DeliveryDetail key={delivery.id} delivery={delivery} snapshot={snapshot} />
      ) : (
        <section class="detail nothing">
          {chosen === undefined ? (
            <Empty>Choose a delivery to see its attempts and what was sent.</Empty>
          ) : (
            <Empty>
              This delivery is not among those that the console shows. The API has older ones.{' '}
              <a class="back" href="#/inspector">
                All deliveries
              </a>
            </Empty>
          )}
        </section>
      )}
    </div>
  );
}

/** What came last stands above all others, so none of them moves apart. The ids have only seconds. */
const ageOf = ({ created_at, id }: ShownDelivery) => `${created_at} ${id}`;

/** Older deliveries are not shown, so a right signature tells that the service has sent it. */
const strangersIn = ({ received, deliveries }: Snapshot) =>
  [...received.values()].filter(
    ({ delivery, signature }) => signature !== 'right' && (delivery === null || !deliveries.has(delivery)),
  );
