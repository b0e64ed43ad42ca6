import type { GatewayEvent } from '@tidegate/gateway'
import { expect, it } from 'vitest'
import { watchAuditForwarding } from './worker.ts'

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
