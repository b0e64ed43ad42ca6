import type { GatewayEvent } from '@tidegate/gateway'
import { expect, it } from 'vitest'
import { watchAuditForwarding, watchExports } from './worker.ts'

it('reports the lag of each destination until another worker has taken over, and counts failures', () => {
  const events: GatewayEvent[] = []
  let time = 0
  const forwarding = watchAuditForwarding({ observers: new Set([(event) => void events.push(event)]) }, () => time)

  forwarding.report({ destination: 'syslog', lagSeconds: 0, failed: false })
  forwarding.report({ destination: 'webhook', lagSeconds: 70, failed: true })
  expect(forwarding.lagSeconds()).toEqual({ syslog: 0, webhook: 70 })
  expect(events).toEqual([{ kind: 'audit-forward-failure', destination: 'webhook' }])

  time = 60_000
  expect(forwarding.lagSeconds()).toEqual({})
})

it('reports deliveries of the site and of users until another worker has taken over', () => {
  const events: GatewayEvent[] = []
  let time = 100_000
  const metrics = watchExports({ observers: new Set([(event) => void events.push(event)]) }, () => time)
  expect(metrics.open()).toEqual({})

  metrics.report({ kind: 's3', result: 'retried' })
  metrics.reportTotals([
    { owner: 'site', open: 2, failed: 1, lag_seconds: 30 },
    { owner: 'user', open: 0, failed: 0, lag_seconds: 0 },
  ])

  expect(events).toEqual([{ kind: 'export-attempt', destination: 's3', result: 'retried' }])
  expect(metrics.open()).toEqual({ site: 2, user: 0 })
  expect(metrics.failed()).toEqual({ site: 1, user: 0 })
  expect(metrics.lagSeconds()).toEqual({ site: 30, user: 0 })
  time += 60_000
  expect(metrics.lagSeconds()).toEqual({})
})
