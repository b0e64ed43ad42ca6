import type { LogEvent } from './log-event.ts'

/** Events of exports to other systems. */
export const EXPORT_EVENTS = {
  'export.delivery_failed': {
    level: 'warn',
    message: 'export delivery failed',
    meaning: 'A batch of requests was not accepted by an export destination and is not sent again by itself.',
    action: 'Fix the destination, then send its failed deliveries again in the console.',
  },
  'export.attempt_error': {
    level: 'error',
    message: 'export attempt ended with an error',
    meaning: 'A batch of requests could not be prepared or sent, for example because its credentials do not open.',
    action: 'Read the error. The delivery is tried again.',
  },
  'export.state_not_stored': {
    level: 'error',
    message: 'state of an export delivery not stored',
    meaning: 'The result of an attempt could not be stored. The delivery is sent again.',
    action: 'Check PostgreSQL.',
  },
} as const satisfies Readonly<Record<string, LogEvent>>
