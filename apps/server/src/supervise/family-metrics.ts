import type { Registry } from 'prom-client'
import type { RunningProcess, Slot } from './supervisor.ts'

/** All metrics of one process, as `registry.getMetricsAsJSON()` returns them. */
export type ProcessMetrics = readonly {
  readonly name: string
  readonly type: string
  readonly values: readonly { readonly value: number }[]
}[]

/** A process that does not respond within this time is left out of a scrape. */
const REPLY_LIMIT_MS = 1_000

/** How values of processes combine, where neither a sum nor the default of the library makes sense. */
const AGGREGATORS: readonly (readonly [name: RegExp, aggregator: string])[] = [
  [/^nodejs_eventloop_lag_/, 'max'],
  [/^tidegate_(audit_forward|export)_lag_seconds$/, 'max'],
  [/^tidegate_export_(open|failed)_deliveries$/, 'max'], // of the same tables
  [/^tidegate_(redis_ready|catalog_version|journal_disk_free_bytes)$/, 'min'],
  [/^tidegate_clock_skew_seconds$/, 'average'], // of the same machine
  [/^process_max_fds$/, 'min'],
]

type Library = typeof import('prom-client')
/** Loaded with the first scrape: many sites have none, and the supervisor should stay small. */
const loadLibrary = (): Promise<Library> => import('prom-client')
/** Ended processes whose counters wait for the next scrape. */
const MAX_UNMERGED = 16

/** Metrics that only a supervisor has. */
export function createFamilyGauges({ Counter, Gauge }: Pick<Library, 'Counter' | 'Gauge'>, registry: Registry) {
  const registers = [registry]
  const labelNames = ['slot', 'role'] as const
  return {
    up: new Gauge({
      name: 'tidegate_process_up',
      help: '1 while the process of the slot serves. Only with several processes',
      labelNames,
      registers,
    }),
    restarts: new Counter({
      name: 'tidegate_process_restarts_total',
      help: 'Restarts of processes that crashed. Only with several processes',
      labelNames,
      registers,
    }),
    memory: new Gauge({
      name: 'tidegate_process_resident_memory_bytes',
      help: 'Resident memory by slot. Only with several processes',
      labelNames,
      registers,
    }),
    missed: new Counter({
      name: 'tidegate_process_scrapes_missed_total',
      help: 'Processes that did not report metrics within a second. Only with several processes',
      registers,
    }),
  }
}

/** Merges the metrics of all processes into one text. */
export function createFamilyMetrics(slots: readonly Slot[]) {
  let missed = 0
  /** Counters of processes that ended. Without them a sum would fall when a process is replaced. */
  let ended: ProcessMetrics[] = []
  const latest = new WeakMap<RunningProcess, ProcessMetrics>()

  async function read(process: RunningProcess): Promise<void> {
    try {
      latest.set(process, await process.request<ProcessMetrics>('metrics', undefined, REPLY_LIMIT_MS))
    } catch {
      missed += 1 // counted with its values of the last scrape
    }
  }

  function mergeEnded(library: Library): void {
    ended = [merge(library, ended).getMetricsAsArray() as unknown as ProcessMetrics]
  }

  return {
    /** The last values of a process that ends gracefully. */
    record: (process: RunningProcess, metrics: ProcessMetrics) => void latest.set(process, metrics),
    retire(process: RunningProcess): void {
      const counted = latest.get(process)?.filter(({ type }) => type === 'counter' || type === 'histogram')
      if (counted) ended.push(counted)
      if (ended.length > MAX_UNMERGED) void loadLibrary().then(mergeEnded)
    },
    async render(running: ReadonlySet<RunningProcess>): Promise<string> {
      const library = await loadLibrary()
      await Promise.all([...running].filter(({ isReady }) => isReady).map(read))
      // One that ended meanwhile is in `ended`.
      const registry = merge(library, [...ended, ...[...running].map((process) => latest.get(process) ?? [])])
      mergeEnded(library)
      const gauges = createFamilyGauges(library, registry)
      for (const { member, current, restarts } of slots) {
        const labels = { slot: member.slot, role: member.roles.join('+') }
        const metrics = current && latest.get(current)
        const memory = metrics?.find(({ name }) => name === 'process_resident_memory_bytes')?.values[0]?.value
        gauges.up.set(labels, current?.isReady ? 1 : 0)
        gauges.restarts.inc(labels, restarts)
        if (memory !== undefined) gauges.memory.set(labels, memory)
      }
      gauges.missed.inc(missed)
      return await registry.metrics()
    },
  }
}

function merge({ AggregatorRegistry }: Library, processes: readonly ProcessMetrics[]): Registry {
  return AggregatorRegistry.aggregate(
    processes.map((metrics) =>
      metrics.map((metric) => {
        const aggregator = AGGREGATORS.find(([name]) => name.test(metric.name))?.[1]
        return aggregator === undefined ? metric : { ...metric, aggregator }
      }),
    ),
  )
}
