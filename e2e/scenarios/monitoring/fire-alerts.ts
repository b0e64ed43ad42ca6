import { until } from '../until.ts'
import { CONDITIONS } from './conditions.ts'
import { readAlerts, readPanelQueries } from './deploy-files.ts'
import { METRICS_TOKEN, openMonitoredSite } from './monitored-site.ts'
import { type Alert, type Prometheus, startPrometheus } from './prometheus.ts'

export interface FiredAlert {
  readonly alert: string
  readonly shows: string
  /** From the start of the condition. */
  readonly seconds: number
  readonly summary: string
}

export interface MonitoringResult {
  readonly fired: FiredAlert[]
  /** Queries of the dashboard that returned numbers before the first request, of all. */
  readonly panels: { numbers: number; all: number }
  readonly resolvedAfterSeconds: number
  readonly failures: string[]
}

const SPEED_UP = 60
const PROCESSES = 3
const FIRES_WITHIN_MS = 120_000
const RESOLVED_WITHIN_MS = 240_000
/** A rate needs two. */
const SCRAPES_BEFORE_QUERIES = 5

/** Scrapes one process per role, causes the condition of each shipped alert, and ends it. */
export async function fireAlerts(
  log: (line: string) => void,
  only: (alert: string) => boolean = () => true,
): Promise<MonitoringResult> {
  const site = await openMonitoredSite()
  let prometheus: Prometheus | undefined
  try {
    prometheus = await startPrometheus({ targets: site.ports, token: METRICS_TOKEN, speedUp: SPEED_UP })
    const failures: string[] = []
    const panels = await checkPanels(prometheus, failures)
    const fired: FiredAlert[] = []
    for (const { alerts, shows, cause } of CONDITIONS) {
      if (!alerts.some(only)) continue
      const startedAt = performance.now()
      const end = await cause(site)
      const missing = new Set(alerts)
      await until(async () => {
        for (const alert of await firing(prometheus!)) {
          const name = alert.labels.alertname!
          if (!missing.delete(name)) continue
          const { summary = '' } = alert.annotations
          const seconds = (performance.now() - startedAt) / 1000
          fired.push({ alert: name, shows, seconds, summary })
          log(`${name} fires after ${seconds.toFixed(1)} s: ${summary}`)
          if (summary === '' || summary.includes('<')) failures.push(`${name} has the summary ${summary}`)
        }
        return missing.size === 0
      }, FIRES_WITHIN_MS)
      for (const name of missing) failures.push(`${name} does not fire: ${shows}`)
      await end()
    }
    const expected = (await readAlerts()).groups.flatMap(({ rules }) => rules.map(({ alert }) => alert)).filter(only)
    const names = new Set(fired.map(({ alert }) => alert))
    for (const alert of expected) if (!names.has(alert)) failures.push(`${alert} was not caused`)
    const repairedAt = performance.now()
    if (!(await until(async () => (await firing(prometheus!)).length === 0, RESOLVED_WITHIN_MS))) {
      const left = (await firing(prometheus)).map(({ labels }) => labels.alertname)
      failures.push(`still firing: ${left.join(', ')}`)
    }
    return { fired, panels, resolvedAfterSeconds: (performance.now() - repairedAt) / 1000, failures }
  } finally {
    await prometheus?.stop()
    await site.close()
  }
}

async function firing(prometheus: Prometheus): Promise<Alert[]> {
  return (await prometheus.alerts()).filter(({ state }) => state === 'firing')
}

/** Every query of the dashboard returns a number before the first request. */
async function checkPanels(prometheus: Prometheus, failures: string[]) {
  const isScraped = async () => {
    const scrapes = await prometheus.query('count_over_time(tidegate_catalog_version[1m])')
    return scrapes.length === PROCESSES && Math.min(...scrapes) > SCRAPES_BEFORE_QUERIES
  }
  if (!(await until(isScraped, FIRES_WITHIN_MS))) failures.push('a process was not scraped')
  const queries = await readPanelQueries('1m')
  let numbers = 0
  for (const { panel, expr } of queries) {
    const values = await prometheus.query(expr)
    if (values.some(Number.isFinite)) numbers += 1
    else failures.push(`the panel ${panel} shows no number: ${expr}`)
  }
  return { numbers, all: queries.length }
}
