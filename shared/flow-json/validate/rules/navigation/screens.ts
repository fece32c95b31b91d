import { isReservedScreenId } from '#shared/flow-json/document/success-screen.ts';
import { isAtLeast, type Version } from '#shared/flow-json/document/versions.ts';
import { excerpt, type Report } from '../../findings.ts';
import type { FlowSource, ScreenSource } from '../../flow-source.ts';
import type { Located } from '../../located.ts';
import type { Rule } from '../rule.ts';

/** Ids, terminal screens, and the properties that depend on them. */
export const checkScreens: Rule = (flow, report) => {
  checkIds(flow, report);
  checkTerminals(flow, report);
  for (const screen of flow.screens) {
    checkRefreshOnBack(flow, screen, report);
    checkSensitive(screen, report);
  }
};

function checkIds({ screens, version }: FlowSource, report: Report): void {
  const seen = new Set<string>();
  for (const { node } of screens) {
    const id = node.member('id');
    if (id?.string === undefined) continue;
    checkId(id, id.string, version, report);
    if (seen.has(id.string)) {
      report.error('DUPLICATE_SCREEN_IDS', `Duplicate screen id found: '${excerpt(id.string)}'.`, id);
    }
    seen.add(id.string);
  }
}

function checkId(node: Located, id: string, version: Version, report: Report): void {
  const pattern = isAtLeast(version, '7.0') ? /^(?!_+$)[a-zA-Z_]+$/ : /^[a-zA-Z,_]+$/;
  if (id === '') return;
  if (!pattern.test(id)) {
    report.error('PATTERN_MISMATCH', "Property 'id' should only consist of alphabets and underscores.", node);
  } else if (isReservedScreenId(id)) {
    const message = `Screen id '${id}' is a reserved keyword.`;
    report.error('SCREEN_ID_IS_RESERVED_KEYWORD', message, node);
  }
}

function checkTerminals({ document, screens }: FlowSource, report: Report): void {
  const terminals = screens.filter(({ isTerminal }) => isTerminal);
  const list = document.member('screens') ?? document;
  if (screens.length > 0 && terminals.length === 0) {
    report.error('MISSING_TERMINAL_SCREEN', 'Flow JSON should have at least one terminal screen.', list);
  } else if (terminals.length > 0 && terminals.every(({ node }) => node.member('success')?.value === false)) {
    const message = "At least one terminal screen should have property 'success' set to 'true'.";
    report.error('INVALID_PROPERTY_VALUE', message, list);
  }
  for (const { node, isTerminal } of screens) {
    const success = node.member('success');
    if (success !== undefined && !isTerminal) {
      const message = "Property 'success' can only be specified on a terminal screen.";
      report.error('NOT_KEYWORD_SCHEMA_VALIDATION_FAILED', message, success);
    }
  }
  for (const screen of terminals) {
    if (!screen.allComponents.some(({ type }) => type === 'Footer') && screen.node.member('layout') !== undefined) {
      const message = `Missing Footer component on terminal screen '${excerpt(screen.id)}'.`;
      report.error('MISSING_FOOTER_ON_TERMINAL_SCREEN', message, screen.node);
    }
  }
}

function checkRefreshOnBack({ dataApiVersion }: FlowSource, { node }: ScreenSource, report: Report): void {
  const refresh = node.member('refresh_on_back');
  if (refresh?.value === true && dataApiVersion === undefined) {
    const message = "Property 'refresh_on_back' can only be specified with 'data_api_version'.";
    report.error('INVALID_PROPERTY_VALUE', message, refresh);
  }
}

function checkSensitive({ node, inputs }: ScreenSource, report: Report): void {
  for (const field of node.member('sensitive')?.items() ?? []) {
    if (field.string !== undefined && !inputs.has(field.string)) {
      const message = `Sensitive field '${excerpt(field.string)}' is not a Form component of the screen.`;
      report.error('INVALID_SENSITIVE_FIELD', message, field);
    }
  }
}
