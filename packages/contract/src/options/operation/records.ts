import { choice, flag, integer } from '../define.ts'

const logs = { tab: 'operation', section: 'logs' } as const
const dashboard = { tab: 'operation', section: 'dashboard' } as const

/** What is remembered of calls, and for how long. */
export const recordOptions = {
  LogConsumeEnabled: flag(logs, true),
  LogChatContentEnabled: flag(logs, false),
  LogErrorEnabled: flag(logs, false),
  /** 0 keeps the log for ever. */
  LogRetentionDays: integer(logs, 0, { min: 0 }),

  DataExportEnabled: flag(dashboard, true),
  /** Minutes. */
  DataExportInterval: integer(dashboard, 5, { min: 1 }),
  DataExportDefaultTime: choice(dashboard, ['hour', 'day', 'week'], 'hour'),
}
