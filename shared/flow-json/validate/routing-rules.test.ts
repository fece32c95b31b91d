// biome-ignore-all lint/suspicious/noTemplateCurlyInString: it is how Flow JSON writes dynamic values.
import { describe, expect, it } from 'vitest';
import { examples } from '#support/flows/component-examples.ts';
import {
  errorsOf,
  exchange,
  flow,
  footer,
  type Json,
  navigateTo,
  pointedAt,
  screen,
  step,
  warningsOf,
} from '#support/flows/flow-json.ts';

describe('routing', () => {
  /** Screens named by letters; those that lead somewhere do so by their Footer or by links. */
  const linked = (routes: Record<string, string[]>, changes: Json = {}) =>
    flow(
      Object.entries(routes).map(([id, targets]) => {
        const [first, ...rest] = targets.map((to) => navigateTo(to));
        if (first === undefined) return screen(id);
        const links = rest.map((action) => ({
          type: 'OptIn',
          name: `n_${rest.indexOf(action)}`,
          label: 'x',
          'on-click-action': action,
        }));
        return step(id, [...links, footer(first)]);
      }),
      changes,
    );

  /** The same with an endpoint that leads on, and a routing model. */
  const routed = (routing_model: Json, terminals = ['Z'], ids = ['A', 'B', 'Z']) =>
    flow(
      ids.map((id) => (terminals.includes(id) ? screen(id) : step(id, [footer(exchange)]))),
      { data_api_version: '3.0', routing_model },
    );

  const exampleText = { type: 'TextBody', text: 'Be kind.' };

  describe('the routing model that follows from navigation', () => {
    it.each([{ A: [] }, { A: ['B'], B: [] }, { A: ['B', 'C'], B: ['D'], C: ['D'], D: [] }])(
      '%j is valid without a routing model',
      (routes) => {
        expect(pointedAt(linked(routes))).toEqual([]);
      },
    );

    it.each([
      [{ A: ['B'], B: ['A', 'Z'], Z: [] }, '"A"'],
      [{ A: ['B'], B: ['C'], C: ['A', 'Z'], Z: [] }, '"A"'],
      [{ A: [], B: [] }, '"B"'],
      [{ A: ['B'], B: [], C: ['D'], D: [] }, '"C"'],
    ])('%j is invalid without a routing model', (routes, text) => {
      expect(pointedAt(linked(routes))).toEqual([['INVALID_ROUTING_MODEL', text]]);
    });

    it('may begin on several screens', () => {
      const json = linked({ A: ['C'], B: ['C'], C: [] });
      expect([errorsOf(json), warningsOf(json)]).toEqual([[], []]);
    });

    it('with a screen that users leave only by going back leads to a warning', () => {
      const terms = { id: 'TERMS', title: 'Terms', layout: { type: 'SingleColumnLayout', children: [exampleText] } };
      const link = { ...examples.EmbeddedLink, 'on-click-action': navigateTo('TERMS') };
      const json = flow([step('ORDER', [link, footer(navigateTo('DONE'))]), terms, screen('DONE')]);
      expect([errorsOf(json), warningsOf(json)]).toEqual([[], ['INVALID_ROUTING_MODEL']]);
    });
  });

  describe('a routing model', () => {
    it.each([
      { A: ['B'], B: ['Z'], Z: [] },
      { A: ['B', 'Z'], B: ['Z'] },
    ])('%j is a valid routing model', (model) => {
      expect(pointedAt(routed(model))).toEqual([]);
    });

    it('with a screen that leads nowhere leads to a warning', () => {
      const json = routed({ A: ['B', 'Z'] });
      expect([errorsOf(json), warningsOf(json)]).toEqual([[], ['INVALID_ROUTING_MODEL']]);
    });

    it('may be empty for a single screen', () => {
      expect(errorsOf(routed({}, ['A'], ['A']))).toEqual([]);
    });

    it.each([
      [{ A: ['B'], B: ['A', 'Z'] }, '"A"'],
      [{ A: ['A', 'B'], B: ['Z'] }, '"A"'],
      [{ A: ['B'], B: ['Z', 'C'] }, '"C"'],
      [{ A: ['B'], B: ['Z'], C: [] }, '"C"'],
      [{ A: ['B'], B: ['Z', 5] }, '5'],
      [{ A: ['B'], B: 'Z' }, '"Z"'],
      [{ A: ['Z'] }, '"B"'],
    ])('%j is an invalid routing model', (model, text) => {
      expect(pointedAt(routed(model))).toContainEqual(['INVALID_ROUTING_MODEL', text]);
    });

    it('may have at most ten branches per screen', () => {
      const ids = [...'BCDEFGHIJKL'];
      const withBranches = (count: number) => {
        const targets = ids.slice(0, count);
        return errorsOf(routed({ A: targets }, targets, ['A', ...targets]));
      };
      expect(withBranches(10)).toEqual([]);
      expect(withBranches(11)).toEqual(['INVALID_ROUTING_MODEL']);
    });

    it('must contain every route that is navigated', () => {
      const json = linked(
        { A: ['B', 'Z'], B: ['Z'], Z: [] },
        { data_api_version: '3.0', routing_model: { A: ['B'], B: ['Z'] } },
      );
      expect(pointedAt(json)).toEqual([['INVALID_ROUTING_MODEL', '"Z"']]);
    });
  });
});
