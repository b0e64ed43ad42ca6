import { httpsUrl, line, secret } from '../define-text.ts'

const audit = { tab: 'system', section: 'audit', guard: 'reauth' } as const

const PORT = String.raw`(?:[1-9]\d{0,3}|[1-5]\d{4}|6[0-4]\d{3}|65[0-4]\d{2}|655[0-2]\d|6553[0-5])`
const SYSLOG = new RegExp(String.raw`^$|^(?:udp|tcp|tls)://(?:[\w.-]+|\[[\da-fA-F:.]+\]):${PORT}$`)

/** Where audit events are forwarded to. Blank: nowhere. */
export const auditOptions = {
  /** `tls://collector.example:6514`, or with `tcp://` or `udp://`. */
  'audit.syslog_address': line(audit, '', { pattern: SYSLOG, max: 300 }),
  'audit.webhook_url': httpsUrl(audit),
  'audit.webhook_secret': secret(audit),
}
