import { parseFilterPattern } from './filter-pattern.ts';
import { functionNamed, prodTemplate, render, resourcesOfType } from './synthesised-template.ts';

interface FilterProperties {
  FilterPattern: string;
  LogGroupName: unknown;
  MetricTransformations: [{ MetricName: string; MetricValue: string }];
}

/** Returns the metrics that count a line which this function of the stage prod prints. */
export function readLogMetrics(): (functionName: string, line: string) => string[] {
  const template = prodTemplate();
  const filters = resourcesOfType<FilterProperties>(template, 'AWS::Logs::MetricFilter').map(({ Properties }) => ({
    logGroup: render(Properties.LogGroupName),
    metric: Properties.MetricTransformations[0].MetricName,
    matches: parseFilterPattern(Properties.FilterPattern),
  }));
  return (functionName, line) => {
    const logGroup = render(functionNamed(template, functionName).Properties.LoggingConfig.LogGroup);
    return filters.filter((filter) => filter.logGroup === logGroup && filter.matches(line)).map(({ metric }) => metric);
  };
}

/** The metrics that count lines of a local world, each once. Its lines begin with the name of the function. */
export function metricsOf(logs: readonly string[]): Set<string> {
  const countsFor = readLogMetrics();
  const lines = logs.map((text) => [text.slice(0, text.indexOf(' ')), text.slice(text.indexOf(' ') + 1)] as const);
  return new Set(lines.flatMap(([name, line]) => countsFor(name, line)));
}
