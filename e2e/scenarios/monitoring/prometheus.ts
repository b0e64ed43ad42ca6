import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { removeDirectory, throwAwayDirectory } from '@tidegate/testing'
import { freePort } from '../private-services.ts'
import { until } from '../until.ts'
import { type AlertRule, readAlerts } from './deploy-files.ts'

export interface Alert {
  readonly labels: Readonly<Record<string, string>>
  readonly annotations: Readonly<Record<string, string>>
  readonly state: 'pending' | 'firing'
}

export interface Prometheus {
  alerts(): Promise<Alert[]>
  /** Values of an instant query. */
  query(expr: string): Promise<number[]>
  stop(): Promise<void>
}

export interface PrometheusPlan {
  /** By name, such as `gateway`; the value is the port on this machine. */
  readonly targets: Readonly<Record<string, number>>
  readonly token: string
  /** By how much the durations of the alert rules are shortened. */
  readonly speedUp: number
}

const READY_LIMIT_MS = 20_000
const SECONDS: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3600 }
/** Thresholds that are durations too: seconds of an audit event or an exported request on its way. */
const DURATION_THRESHOLDS: Readonly<Record<string, number>> = {
  TidegateAuditForwardingBehind: 300,
  TidegateExportsBehind: 900,
}

/** Starts Prometheus with the shipped alert rules and an interval of one second. */
export async function startPrometheus({ targets, token, speedUp }: PrometheusPlan): Promise<Prometheus> {
  const directory = await throwAwayDirectory()
  const { groups } = await readAlerts()
  const rules = groups.map(({ name, rules }) => ({ name, rules: rules.map((rule) => shorten(rule, speedUp)) }))
  await writeFile(join(directory, 'rules.json'), JSON.stringify({ groups: rules }))
  const configuration = {
    global: { scrape_interval: '1s', evaluation_interval: '1s' },
    rule_files: ['rules.json'],
    scrape_configs: [
      {
        job_name: 'tidegate',
        authorization: { credentials: token },
        static_configs: Object.entries(targets).map(([role, port]) => ({
          targets: [`127.0.0.1:${port}`],
          labels: { role },
        })),
      },
    ],
  }
  await writeFile(join(directory, 'prometheus.json'), JSON.stringify(configuration))
  const address = `127.0.0.1:${await freePort()}`
  const child = spawn(
    'prometheus',
    [
      '--config.file=prometheus.json',
      `--storage.tsdb.path=${join(directory, 'data')}`,
      `--web.listen-address=${address}`,
      '--log.level=warn',
    ],
    { cwd: directory, stdio: ['ignore', 'ignore', 'inherit'] },
  )
  const get = async (path: string) => {
    const response = await fetch(`http://${address}/api/v1/${path}`)
    return ((await response.json()) as { data: unknown }).data
  }
  const stop = async () => {
    if (child.exitCode === null && child.pid !== undefined) {
      child.kill('SIGTERM')
      await once(child, 'exit')
    }
    await removeDirectory(directory)
  }
  const isReady = () =>
    fetch(`http://${address}/-/ready`).then(
      ({ ok }) => ok,
      () => false,
    )
  if (!(await until(isReady, READY_LIMIT_MS))) {
    await stop()
    throw new Error('Prometheus did not start')
  }
  return {
    alerts: async () => ((await get('alerts')) as { alerts: Alert[] }).alerts,
    async query(expr) {
      const { result } = (await get(`query?query=${encodeURIComponent(expr)}`)) as { result: { value: [0, string] }[] }
      return result.map(({ value }) => Number(value[1]))
    },
    stop,
  }
}

/** `for: 5m` and `[10m]` become as many seconds for a factor of 60. */
function shorten(rule: AlertRule, factor: number): AlertRule {
  const short = (duration: string) => {
    const [, count, unit] = /^(\d+)([smh])$/.exec(duration)!
    return `${Math.max(1, Math.round((Number(count) * SECONDS[unit!]!) / factor))}s`
  }
  const threshold = DURATION_THRESHOLDS[rule.alert]
  const expr = rule.expr
    .replaceAll(/\[(\d+[smh])\]/g, (_, duration: string) => `[${short(duration)}]`)
    .replaceAll(/\boffset (\d+[smh])/g, (_, duration: string) => `offset ${short(duration)}`)
  return {
    ...rule,
    expr: threshold === undefined ? expr : expr.replace(`> ${threshold}`, `> ${threshold / factor}`),
    ...(rule.for !== undefined && { for: short(rule.for) }),
  }
}
