import {
  maxDropdownOptionsWithImages,
  maxOptionImageKilobytes,
  maxOptionImageKilobytesBefore6,
} from '#shared/flow-json/document/limits.ts';
import { decodedSize } from '#shared/flow-json/document/values/image-data.ts';
import { isAtLeast } from '#shared/flow-json/document/versions.ts';
import type { Report } from '../findings.ts';
import type { ComponentSource, FlowSource } from '../flow-source.ts';

const actionProperties = ['on-select-action', 'on-unselect-action'];
const kilobyte = 1024;

/** The options of a group or a Dropdown: either images or colours, and actions on the group or on the options. */
export function checkOptions(component: ComponentSource, report: Report, flow: FlowSource): void {
  const source = component.node.member('data-source');
  const options = source?.items() ?? [];
  const withImage = options.filter((option) => option.member('image') !== undefined);
  const withColor = options.find((option) => option.member('color') !== undefined);
  if (source !== undefined && withImage.length > 0 && withColor !== undefined) {
    const message = "Options should have either 'image' or 'color', not both.";
    report.error('DATA_SOURCE_ITEMS_HAVE_BOTH_IMAGE_AND_COLOR', message, source);
  }
  const isDropdown = component.type === 'Dropdown';
  if (source !== undefined && isDropdown && withImage.length > 0 && options.length > maxDropdownOptionsWithImages) {
    const message = `Property 'data-source' with images should have at most '${maxDropdownOptionsWithImages}' items.`;
    report.error('MAX_ITEMS_REQUIRED', message, source);
  }
  const maxKilobytes = isAtLeast(flow.version, '6.0') ? maxOptionImageKilobytes : maxOptionImageKilobytesBefore6;
  for (const option of withImage) {
    const image = option.member('image');
    if (image?.string !== undefined && decodedSize(image.string) > maxKilobytes * kilobyte) {
      const message = `Images of options can have at most ${maxKilobytes} kB.`;
      report.warning('INVALID_PROPERTY_VALUE', message, image);
    }
  }
  checkActions(component, report);
}

function checkActions({ node }: ComponentSource, report: Report): void {
  const hasAction = actionProperties.some((name) => node.member(name) !== undefined);
  if (!hasAction) return;
  for (const option of node.member('data-source')?.items() ?? []) {
    const action = actionProperties.map((name) => option.member(name)).find((found) => found !== undefined);
    if (action !== undefined) {
      const message = 'Actions can be on the component or on its options, not on both.';
      report.error('INVALID_DEPENDENCIES', message, action);
    }
  }
}
