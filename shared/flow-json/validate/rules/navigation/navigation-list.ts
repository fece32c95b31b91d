import type { Report } from '../../findings.ts';
import type { ComponentSource } from '../../flow-source.ts';
import type { Located } from '../../located.ts';

/** The items of a NavigationList: one action for all or one each, one badge, and no `end` with large media. */
export function checkNavigationListItems({ node }: ComponentSource, report: Report): void {
  const items = (node.member('list-items')?.items() ?? []).filter(({ type }) => type === 'object');
  for (const item of items) {
    checkAction(node, item, report);
    checkEnd(node, item, report);
  }
  const [, second] = items.flatMap((item) => item.member('badge') ?? []);
  if (second !== undefined) {
    report.error('INVALID_PROPERTY_VALUE', "Only one item of a NavigationList can have a 'badge'.", second);
  }
}

function checkAction(list: Located, item: Located, report: Report): void {
  const [ofList, ofItem] = [list.member('on-click-action'), item.member('on-click-action')];
  if (ofList === undefined && ofItem === undefined) {
    report.error('MISSING_REQUIRED_PROPERTY', "Required property 'on-click-action' is missing.", item);
  } else if (ofList !== undefined && ofItem !== undefined) {
    const message = "'on-click-action' can be on the NavigationList or on its items, not on both.";
    report.error('INVALID_DEPENDENCIES', message, ofItem);
  }
}

function checkEnd(list: Located, item: Located, report: Report): void {
  const end = item.member('end');
  if (end === undefined || list.member('media-size')?.string !== 'large') return;
  const message = "Property 'end' cannot be specified when 'media-size' is 'large'.";
  report.error('INVALID_DEPENDENCIES', message, end);
}
