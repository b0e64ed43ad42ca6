import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { ATTEMPT_OUTCOMES, REQUEST_OUTCOMES } from '@tidegate/gateway'
import { exportDeliveries } from '@tidegate/storage'
import { describe, expect, it } from 'vitest'
import { Registry } from 'prom-client'
import { connectionStates, EventCounter } from './prometheus.ts'

const DEPLOY = join(import.meta.dirname, '../../../../deploy')
const read = (path: string) => readFileSync(join(DEPLOY, path), 'utf8')

/** Values of the labels that alerts and dashboards select by, as the product writes them. */
const LABEL_VALUES: Readonly<Record<string, readonly string[]>> = {
  'tidegate_calls_total.outcome': REQUEST_OUTCOMES,
  'tidegate_attempts_total.outcome': ATTEMPT_OUTCOMES,
  'tidegate_database_connections.state': Object.keys(
    connectionStates({ totalCount: 0, idleCount: 0, waitingCount: 0 }),
  ),
  'tidegate_export_lag_seconds.state': exportDeliveries.OWNERS,
  // Prometheus adds the name of the job that scrapes the processes.
  'up.job': [...read('prometheus/prometheus.yaml').matchAll(/job_name: (\S+)/g)].map(([, name]) => name!),
}

/** `metric.label=value` for each value in the selectors of a file. Variables of dashboards are left out. */
function selectedValues(text: string): string[] {
  const selectors = text.replaceAll('\\"', '"').matchAll(/\b(\w+)\{([^{}]*)\}/g)
  return [...selectors].flatMap(([, metric, matchers = '']) =>
    [...matchers.matchAll(/(\w+)\s*(?:=~|!~|!=|=)\s*"([^"]*)"/g)].flatMap(([, label, values = '']) =>
      values.startsWith('$') ? [] : values.split('|').map((value) => `${metric}.${label}=${value}`),
    ),
  )
}

describe('label values in deployment files', () => {
  const known = new Set(
    Object.entries(LABEL_VALUES).flatMap(([label, values]) => values.map((value) => `${label}=${value}`)),
  )

  it.each(['prometheus/alerts.yaml', 'grafana/tidegate.json'])('exist in the product: %s', (file) => {
    const used = selectedValues(read(file))

    expect(used).toContain('tidegate_calls_total.outcome=failed')
    expect(used.filter((value) => !known.has(value))).toEqual([])
  })

  it('are found in every kind of matcher', () => {
    expect(selectedValues('sum(rate(calls{outcome=~"a|b", job="$job",state!="c"}[5m]))')).toEqual([
      'calls.outcome=a',
      'calls.outcome=b',
      'calls.state=c',
    ])
  })
})

describe('an event counter', () => {
  it('reports known values as 0 before their first event', async () => {
    const registry = new Registry()
    const options = { name: 'calls_total', help: 'Requests', registers: [registry] }
    const calls = new EventCounter({ ...options, labelNames: ['outcome'], initial: ['served', 'failed'] })
    const samples = async () => (await registry.metrics()).split('\n').filter((line) => line.startsWith('calls_total'))

    expect(await samples()).toEqual(['calls_total{outcome="served"} 0', 'calls_total{outcome="failed"} 0'])

    calls.add('failed')
    expect(await samples()).toEqual(['calls_total{outcome="served"} 0', 'calls_total{outcome="failed"} 1'])
  })

  it('reports its sums whenever metrics are collected', async () => {
    const registry = new Registry()
    const options = { help: 'Attempts', labelNames: ['channel', 'outcome'] } as const
    const attempts = new EventCounter({ ...options, registers: [registry], name: 'attempts_total' })
    const samples = async () =>
      (await registry.metrics()).split('\n').filter((line) => line.startsWith('attempts_total'))
    attempts.add(3, 'served')
    attempts.add(3, 'served')
    attempts.add(4, 'server')

    await samples()
    attempts.add(3, 'served')

    expect(await samples()).toEqual([
      'attempts_total{channel="3",outcome="served"} 3',
      'attempts_total{channel="4",outcome="server"} 1',
    ])
  })
})
