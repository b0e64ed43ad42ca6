import { EXPORT_EVENTS } from './exports.ts'
import { LOG_ROW_EVENTS } from './log-rows.ts'
import { OPERATION_EVENTS } from './operation.ts'
import { REQUEST_EVENTS } from './requests.ts'

export type { LogEvent } from './log-event.ts'

/** Every event that the server logs. `docs/reference/log-events.md` is generated from this table. */
export const LOG_EVENTS = { ...REQUEST_EVENTS, ...OPERATION_EVENTS, ...EXPORT_EVENTS, ...LOG_ROW_EVENTS }

export type LogEventCode = keyof typeof LOG_EVENTS

/** What a logger needs to have; pino has it. */
export interface Log {
  info(details: object, message: string): void
  warn(details: object, message: string): void
  error(details: object, message: string): void
}

/** Writes one line with the level and the message of the table, if there is a logger. */
export function logEvent(log: Log | undefined, event: LogEventCode, details: object = {}): void {
  const { level, message } = LOG_EVENTS[event]
  log?.[level]({ event, ...details }, message)
}
