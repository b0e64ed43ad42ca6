import { choice, flag, integer } from '../define.ts'

const logs = { tab: 'operation', section: 'logs' } as const
const dashboard = { tab: 'operation', section: 'dashboard' } as const

/** What is remembered of calls, and for how long. */
export const recordOptions = {
  LogConsumeEnabled: flag(logs, true),
  LogChatContentEnabled: flag(logs, false),
  LogErrorEnabled: flag(logs, true),
  /** 0 keeps the log for ever. Sums of use are kept in any case. */
  LogRetentionDays: integer(logs, 180, { min: 0 }),
  /** The oldest days go when the log takes more; 0 means as much as there is room for. */
  LogRetentionGigabytes: integer(logs, 0, { min: 0 }),
  /** What was said in calls is kept for a shorter time; 0 means as long as their rows. */
  LogChatContentDays: integer(logs, 30, { min: 0 }),

  DataExportEnabled: flag(dashboard, true),
  /** Minutes. */
  DataExportInterval: integer(dashboard, 5, { min: 1 }),
  DataExportDefaultTime: choice(dashboard, ['hour', 'day', 'week'], 'hour'),
}
