import type { PageProps } from '../../page-view.ts';
import { Empty } from '../../parts/text.tsx';
import type { Snapshot } from '../../snapshot.ts';
import { BreakerChart } from './breaker-chart.tsx';
import { DeliveryDetail } from './delivery-detail.tsx';
import { DeliveryList } from './delivery-list.tsx';
import { Receiver } from './receiver.tsx';
import { Targets } from './targets.tsx';

/** Shows every delivery as it happens, with the receiver that is built into the console beside it. */
export function Inspector({ snapshot, rest: [chosen] }: PageProps) {
  const deliveries = [...snapshot.deliveries.values()].toSorted((one, other) => (one.id < other.id ? 1 : -1));
  const delivery = chosen === undefined ? undefined : snapshot.deliveries.get(chosen);
  return (
    <div class="page inspector">
      <h1>Inspector</h1>
      <div class="setup">
        <Receiver behaviour={snapshot.receiver} strangers={strangersIn(snapshot)} />
        <Targets snapshot={snapshot} />
      </div>
      <BreakerChart snapshot={snapshot} />
      <div class="deliveries" data-chosen={delivery !== undefined}>
        <DeliveryList
          deliveries={deliveries}
          world={snapshot.world}
          targets={snapshot.targets}
          received={snapshot.received}
          chosen={chosen}
        />
        {chosen !== undefined && delivery === undefined && (
          <Empty>This delivery is not among those that the console shows. The API has older ones.</Empty>
        )}
        {delivery !== undefined && <DeliveryDetail key={delivery.id} delivery={delivery} snapshot={snapshot} />}
      </div>
    </div>
  );
}

/** Older deliveries are not shown, so a right signature tells that the service has sent it. */
const strangersIn = ({ received, deliveries }: Snapshot) =>
  [...received.values()].filter(
    ({ delivery, signature }) => signature !== 'right' && (delivery === null || !deliveries.has(delivery)),
  );
