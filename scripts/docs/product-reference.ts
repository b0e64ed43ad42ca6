import { COMMANDS, type CommandHelp } from '../../apps/server/src/commands/help.ts'
import { createMetrics, processGauges } from '../../apps/server/src/observability/prometheus.ts'
import { createFamilyGauges } from '../../apps/server/src/supervise/family-metrics.ts'
import { code, table } from './table.ts'

/** The commands of `tidegate`, from the texts of its help. */
export function commandReference(): string {
  const sections = Object.entries(COMMANDS).map(([name, help]) => commandSection(name, help))
  return `# Command line

\`tidegate help\` lists the commands. \`tidegate help COMMAND\` prints the options of one command.

All commands read the same [environment variables](environment.md) as the server. Run them on a machine that reaches the
database of the site. Without \`DATABASE_URL\`, run them in the folder of the site.

Generated from \`apps/server/src/commands/help.ts\` by \`npm run docs:write\`.

${sections.join('\n\n')}
`
}

function commandSection(name: string, { summary, usage, options, notes }: CommandHelp): string {
  return [
    `## ${name}`,
    `${summary[0]!.toUpperCase()}${summary.slice(1)}.`,
    `\`\`\`text\n${usage.join('\n')}\n\`\`\``,
    options &&
      table(
        ['Option', 'Meaning'],
        options.map(([option, meaning]) => [code(option), meaning]),
      ),
    notes?.replaceAll('\n', ' '),
  ]
    .filter(Boolean)
    .join('\n\n')
}

/** The product's own metrics, from the registry that serves them. Those of Node.js are named once. */
export function metricReference(): string {
  const rows = metricsOf()
    .filter(({ name }) => name.startsWith('tidegate_'))
    .toSorted((a, b) => (a.name < b.name ? -1 : 1))
    .map(({ name, type, help, labelNames = [] }) => [
      `<a id="${name}"></a>${code(name)}`,
      type,
      labelNames.map(code).join(', '),
      help,
    ])
  return `# Metrics

Set \`TIDEGATE_METRICS_TOKEN\` and scrape \`/metrics\` of every process with that token as a bearer token. The processes of one
supervisor report together: counters and histograms are sums, as are gauges unless a sum makes no sense.
[Monitor](../guides/monitor.md) has the configuration of Prometheus and the alerts.

Gauges with the label \`state\` have one value per queue, destination or connection state, or one value without a label.
Gateway metrics exist only in processes with the role \`gateway\`. Each process also exports the default metrics of
Node.js: \`process_…\` and \`nodejs_…\`.

Generated from \`apps/server/src/observability/prometheus.ts\` by \`npm run docs:write\`.

${table(['Metric', 'Type', 'Labels', 'Meaning'], rows)}
`
}

interface RegisteredMetric {
  readonly name: string
  readonly help: string
  readonly type: string
  readonly labelNames?: readonly string[]
}

/** Gauges are read only when they are collected, so their sources can be empty here. */
function metricsOf(): RegisteredMetric[] {
  const everything = { storage: { database: { pool: {} }, redis: {} } } as unknown as Parameters<
    typeof processGauges
  >[0]
  const gauges = processGauges(
    everything,
    {} as Parameters<typeof processGauges>[1],
    {} as Parameters<typeof processGauges>[2],
  )
  const types: Record<string, string> = { Counter: 'counter', Gauge: 'gauge', Histogram: 'histogram' }
  const { registry } = createMetrics(gauges)
  createFamilyGauges(registry)
  return registry
    .getMetricsAsArray()
    .map((metric) => ({ ...(metric as unknown as RegisteredMetric), type: types[metric.constructor.name] ?? '' }))
}
