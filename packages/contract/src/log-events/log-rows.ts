import type { LogEvent } from './log-event.ts'

/** Events of the log of requests. */
export const LOG_ROW_EVENTS = {
  'logs.store_unavailable': {
    level: 'warn',
    message: 'log store unavailable',
    meaning:
      'ClickHouse did not accept log rows. They stay in PostgreSQL and are sent again. Lists of logs return 503.',
    action:
      'Read `err`. Check ClickHouse and its address in TIDEGATE_LOG_STORE. Later rows wait until it accepts these.',
  },
  'logs.store_resumed': {
    level: 'info',
    message: 'log store accepts rows again',
    meaning: 'ClickHouse accepted log rows after `failures` failed attempts.',
  },
  'logs.store_missing': {
    level: 'error',
    message: 'log store not configured',
    meaning:
      '`rows` log rows wait for ClickHouse, but the worker has no TIDEGATE_LOG_STORE. Nothing sends them, and lists do not show them.',
    action:
      'Set TIDEGATE_LOG_STORE in every process. To leave ClickHouse, run `tidegate logs move --to postgres` first.',
  },
  'logs.outbox_full': {
    level: 'error',
    message: 'log outbox full',
    meaning:
      'Log rows that ClickHouse does not have reached TIDEGATE_LOG_OUTBOX_MB. With `spill` new rows go to the table of PostgreSQL, with `reject` new requests are rejected.',
    action: 'Repair ClickHouse. Raise the limit if PostgreSQL has space.',
  },
  'logs.expired_dropped': {
    level: 'info',
    message: 'expired usage logs dropped',
    meaning: 'Usage logs older than the retention were deleted.',
  },
  'logs.dropped_for_space': {
    level: 'warn',
    message: 'usage logs dropped to save space',
    meaning: 'Usage logs were deleted before their retention ended, because they exceed the size limit.',
    action: 'Raise the limit or shorten the retention.',
  },
} as const satisfies Readonly<Record<string, LogEvent>>
