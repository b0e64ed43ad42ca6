import type { Metrics } from './prometheus.ts'
import type { Node } from '../process/node.ts'

/** Turns what happens in this process into metrics. */
export function watchGateway(node: Pick<Node, 'observers'>, metrics: Metrics): void {
  node.observers.add((event) => {
    switch (event.kind) {
      case 'call':
        metrics.calls.inc({ outcome: event.outcome })
        break
      case 'attempt':
        metrics.attempts.inc({ channel: event.channelId, outcome: event.outcome })
        break
      case 'implausible-usage':
        metrics.implausibleUsage.inc({ channel: event.channelId })
        break
      case 'auth-failure':
        metrics.authFailures.inc({ kind: event.failure })
        break
      case 'audit-forward-failure':
        metrics.auditForwardFailures.inc({ destination: event.destination })
        break
      case 'first-token':
        metrics.firstTokenSeconds.observe(event.milliseconds / 1000)
    }
  })
}
