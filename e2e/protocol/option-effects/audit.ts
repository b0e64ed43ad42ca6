import type { Rows } from './effect.ts'

const shownByForwarding = { shownBy: 'packages/control/src/audit/forward-events.db.test.ts' }

export const auditEffects = {
  'audit.syslog_address': shownByForwarding,
  'audit.webhook_url': shownByForwarding,
  'audit.webhook_secret': shownByForwarding,
} satisfies Rows
