import { COMMANDS, type CommandHelp } from '../../apps/server/src/commands/help.ts'
import { Counter, createMetrics, Gauge, processGauges } from '../../apps/server/src/observability/prometheus.ts'
import { createFamilyGauges } from '../../apps/server/src/supervise/family-metrics.ts'
import { code, table } from './table.ts'
import { type Language, translate } from './translate.ts'

interface PageTexts {
  readonly introduction: string
  readonly columns: readonly string[]
}

const COMMAND_PAGES: Readonly<Record<Language, PageTexts>> = {
  en: {
    introduction: `# Command line

\`tidegate help\` lists the commands. \`tidegate help COMMAND\` prints the options of one command.

All commands read the same [environment variables](environment.md) as the server. Run them on a machine that reaches the
database of the site. Without \`DATABASE_URL\`, run them in the folder of the site.

Generated from \`apps/server/src/commands/help.ts\` by \`npm run docs:write\`.`,
    columns: ['Option', 'Meaning'],
  },
  zh: {
    introduction: `# 命令行

\`tidegate help\` 列出全部命令，\`tidegate help 命令\` 打印一个命令的选项。命令自带的帮助是英文。

所有命令读取与服务器相同的[环境变量](environment.md)。请在能访问站点数据库的机器上执行；没有设置 \`DATABASE_URL\` 时，在站点目录里执行。

由 \`npm run docs:write\` 根据 \`apps/server/src/commands/help.ts\` 生成。`,
    columns: ['选项', '含义'],
  },
}

/** The commands of `tidegate`, from the texts of its help. */
export function commandReference(language: Language): string {
  const { introduction, columns } = COMMAND_PAGES[language]
  const sections = Object.entries(COMMANDS).map(([name, help]) => commandSection(name, help, columns, language))
  return `${introduction}\n\n${sections.join('\n\n')}\n`
}

function commandSection(name: string, help: CommandHelp, columns: readonly string[], language: Language): string {
  const { summary, usage, options, notes } = help
  const sentence = `${summary[0]!.toUpperCase()}${summary.slice(1)}.`
  return [
    `## ${name}`,
    translate(sentence, language),
    `\`\`\`text\n${usage.join('\n')}\n\`\`\``,
    options &&
      table(
        columns,
        options.map(([option, meaning]) => [code(option), translate(meaning, language)]),
      ),
    notes && translate(notes.replaceAll('\n', ' '), language),
  ]
    .filter(Boolean)
    .join('\n\n')
}

const METRIC_PAGES: Readonly<Record<Language, PageTexts>> = {
  en: {
    introduction: `# Metrics

Set \`TIDEGATE_METRICS_TOKEN\` and scrape \`/metrics\` of every process with that token as a bearer token. The processes of one
supervisor report together: counters and histograms are sums, as are gauges unless a sum makes no sense.
[Monitor](../guides/monitor.md) has the configuration of Prometheus and the alerts.

Gauges with the label \`state\` have one value per queue, destination or connection state, or one value without a label.
Gateway metrics exist only in processes with the role \`gateway\`. Each process also exports the default metrics of
Node.js: \`process_…\` and \`nodejs_…\`.

Generated from \`apps/server/src/observability/prometheus.ts\` by \`npm run docs:write\`.`,
    columns: ['Metric', 'Type', 'Labels', 'Meaning'],
  },
  zh: {
    introduction: `# 指标

设置 \`TIDEGATE_METRICS_TOKEN\`，用它作为 Bearer 令牌抓取每个进程的 \`/metrics\`。同一个监管进程下的各进程合并上报：计数器和直方图相加，
仪表在相加有意义时也相加。Prometheus 的配置和告警见[监控](../guides/monitor.md)。

带 \`state\` 标签的仪表，每个队列、目的地或连接状态各有一个值，或者只有一个不带标签的值。网关指标只在承担 \`gateway\` 角色的进程里。
每个进程还提供 Node.js 的默认指标：\`process_…\` 和 \`nodejs_…\`。

由 \`npm run docs:write\` 根据 \`apps/server/src/observability/prometheus.ts\` 生成。`,
    columns: ['指标', '类型', '标签', '含义'],
  },
}

/** The product's own metrics, from the registry that serves them. Those of Node.js are named once. */
export function metricReference(language: Language): string {
  const { introduction, columns } = METRIC_PAGES[language]
  const rows = metricsOf()
    .filter(({ name }) => name.startsWith('tidegate_'))
    .toSorted((a, b) => (a.name < b.name ? -1 : 1))
    .map(({ name, type, help, labelNames = [] }) => [
      `<a id="${name}"></a>${code(name)}`,
      type,
      labelNames.map(code).join(', '),
      translate(help, language),
    ])
  return `${introduction}\n\n${table(columns, rows)}\n`
}

interface RegisteredMetric {
  readonly name: string
  readonly help: string
  readonly type: string
  readonly labelNames?: readonly string[]
}

/** Gauges are read only when they are collected, so their sources can be empty here. */
function metricsOf(): RegisteredMetric[] {
  const storage = { database: { pool: {} }, redis: {}, logs: { outbox: {} } }
  const everything = { storage, clock: {} } as unknown as Parameters<typeof processGauges>[0]
  const gauges = processGauges(
    everything,
    {} as Parameters<typeof processGauges>[1],
    { forwarding: {}, exports: {} } as Parameters<typeof processGauges>[2],
  )
  const types: Record<string, string> = { Counter: 'counter', Gauge: 'gauge', Histogram: 'histogram' }
  const { registry } = createMetrics(gauges)
  createFamilyGauges({ Counter, Gauge }, registry)
  return registry
    .getMetricsAsArray()
    .map((metric) => ({ ...(metric as unknown as RegisteredMetric), type: types[metric.constructor.name] ?? '' }))
}
