import { setTimeout as pause } from 'node:timers/promises'
import { freePort, startProcess, type StartedProcess } from './start-process.ts'

export interface TidegateProcess extends StartedProcess {
  readonly url: string
  /** Reads a metric of `/metrics`. */
  metric(name: string): Promise<number>
  /** Waits until every completed request is in the database. */
  untilSettled(): Promise<void>
}

export interface TidegateOptions {
  readonly name: string
  readonly product: string
  readonly cores: string
  readonly env: Record<string, string>
  /** Arguments after `start`, such as `--role`. */
  readonly args?: readonly string[]
  /** Gateways that share the port; one process by default. */
  readonly processes?: number
  /** Arguments for Node. */
  readonly nodeFlags?: readonly string[]
}

/** The flags of the shebang line and of the service and container files. */
const AS_SHIPPED = ['--max-semi-space-size=16']
const METRICS_TOKEN = 'bench-metrics-token'
const READY_LIMIT_MS = 120_000
const SETTLE_LIMIT_MS = 120_000
/** Each poll makes the process render all its metrics, which is part of what is measured. */
const SETTLE_POLL_MS = 250

/** Starts the product like an operator, but without the access log: no peer writes one either. */
export async function startTidegate(options: TidegateOptions): Promise<TidegateProcess> {
  const port = await freePort()
  const started = await startProcess({
    name: options.name,
    program: process.execPath,
    args: [...AS_SHIPPED, ...(options.nodeFlags ?? []), options.product, 'start', ...(options.args ?? [])],
    port,
    cores: options.cores,
    env: {
      HOST: '127.0.0.1',
      PORT: String(port),
      NODE_ENV: 'production',
      TIDEGATE_LOG_LEVEL: 'warn',
      TIDEGATE_METRICS_TOKEN: METRICS_TOKEN,
      TIDEGATE_ALLOW_PRIVATE_UPSTREAMS: 'true',
      GLOBAL_API_RATE_LIMIT_ENABLE: 'false',
      TIDEGATE_PROCESSES: String(options.processes ?? 1),
      ...options.env,
    },
  })
  const url = `http://127.0.0.1:${port}`
  const deadline = performance.now() + READY_LIMIT_MS
  while (!(await isReady(url))) {
    if (performance.now() > deadline) throw new Error(`${options.name} was not ready in time`)
    await pause(50)
  }

  async function readMetric(name: string): Promise<number> {
    const response = await fetch(`${url}/metrics`, { headers: { authorization: `Bearer ${METRICS_TOKEN}` } })
    return parseMetric(await response.text(), name)
  }
  return {
    ...started,
    url,
    metric: readMetric,
    async untilSettled() {
      const limit = performance.now() + SETTLE_LIMIT_MS
      while ((await readMetric('tidegate_waiting_bookings')) > 0) {
        if (performance.now() > limit) throw new Error('settlements are still waiting for the database')
        await pause(SETTLE_POLL_MS)
      }
    },
  }
}

/** Sums the samples of a metric over its labels. */
export function parseMetric(text: string, name: string): number {
  const samples = [...text.matchAll(new RegExp(`^${name}(?:\\{[^}]*\\})? (\\S+)$`, 'gm'))]
  if (samples.length === 0) throw new Error(`/metrics does not contain ${name}`)
  return samples.reduce((sum, [, value]) => sum + Number(value), 0)
}

async function isReady(url: string): Promise<boolean> {
  const response = await fetch(`${url}/readyz`).catch(() => undefined)
  await response?.text()
  return response?.status === 200
}
