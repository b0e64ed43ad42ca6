import type { LogEvent } from './log-event.ts'

/** Requests, channels, tasks, rate limits and money. */
export const REQUEST_EVENTS = {
  'ratelimit.local': {
    level: 'warn',
    message: 'rate limits are counted locally',
    meaning: 'Redis failed, so this process counts rate limits by itself.',
    action: 'Check Redis.',
  },
  'ratelimit.shared': {
    level: 'info',
    message: 'rate limits are shared again',
    meaning: 'Rate limits are counted in Redis again.',
  },
  'ratelimit.release_failed': {
    level: 'error',
    message: 'rate limit release failed',
    meaning: 'The share that a request took of its rate limits was not corrected. It expires with its window.',
    action: 'Check Redis.',
  },
  'batch.round_failed': {
    level: 'error',
    message: 'batch round failed',
    meaning: 'The worker could not claim lines of batches. It tries again every second.',
    action: 'Check PostgreSQL.',
  },
  'batch.prepare_failed': {
    level: 'error',
    message: 'batch preparation failed',
    meaning: 'The requests of a batch could not be read, or its results not be written. A worker tries again.',
    action: 'Check PostgreSQL. If it repeats for one batch, read the error.',
  },
  'batch.poll_failed': {
    level: 'warn',
    message: 'batch poll failed',
    meaning: 'A batch could not be submitted to its provider, or its state not be read. A worker tries again.',
    action: 'Check the channel. If it repeats for one batch, read the error.',
  },
  'batch.not_submitted': {
    level: 'warn',
    message: 'batch not submitted',
    meaning: 'The provider does not run the batch, so the workers run its lines at the usual price.',
    action: 'If it repeats, disable provider batches in the settings of the channel.',
  },
  'batch.abandoned': {
    level: 'error',
    message: 'batch abandoned',
    meaning: 'The provider did not finish a batch an hour after its deadline. Requests without a result expired.',
    action: 'Check the channel and its keys. Cancel the batch at the provider.',
  },
  'batch.line_not_recorded': {
    level: 'error',
    message: 'batch line not recorded',
    meaning: 'The result of a line could not be stored. The line runs again, and is charged once.',
    action: 'Check PostgreSQL.',
  },
  'batch.lease_not_renewed': {
    level: 'warn',
    message: 'batch lease not renewed',
    meaning: 'The leases of running lines were not extended. After 20 seconds other workers run these lines too.',
    action: 'Check PostgreSQL.',
  },
  'journal.write_failed': {
    level: 'warn',
    message: 'journal write failed',
    meaning: 'The local journal could not be written. Requests wait until it can.',
    action: 'Check free space and permissions of the data folder.',
  },
  'journal.full': {
    level: 'error',
    message: 'journal full',
    meaning: 'The journal holds as much as it may. Requests are rejected until PostgreSQL accepts settlements.',
    action: 'Check PostgreSQL at once.',
  },
  'journal.replayed': {
    level: 'warn',
    message: 'journal replayed',
    meaning: 'The journal of a process that ended without stopping was settled.',
    action: 'Find out why the process ended. Damaged records are counted in `damagedRecords`.',
  },
  'journal.resumed': {
    level: 'info',
    message: 'resumed journal settled',
    meaning:
      'A process that started without PostgreSQL has settled the requests of the process before it, and serves from its leases.',
  },
  'snapshot.ignored': {
    level: 'warn',
    message: 'snapshot ignored',
    meaning: 'A snapshot in the data directory cannot be used: it is too old, damaged, or sealed with other keys.',
  },
  'snapshot.write_failed': {
    level: 'warn',
    message: 'snapshot not written',
    meaning: 'The state for a start without PostgreSQL could not be written. It is tried again.',
    action: 'Check free space and permissions of the data folder.',
  },
  'settlement.delayed': {
    level: 'warn',
    message: 'settlement delayed',
    meaning: 'A settlement batch was not accepted by PostgreSQL. It stays in the journal and is tried again.',
    action: 'Check PostgreSQL.',
  },
  'settlement.restored': {
    level: 'error',
    message: 'lost settlements restored',
    meaning:
      'PostgreSQL had lost settlements that it had confirmed, and got them again from the journal. `missing` batches were not in the journal any more.',
    action: 'Use synchronous replication. After `missing` batches, run `tidegate verify`.',
  },
  'settlement.resumed': {
    level: 'info',
    message: 'settlement resumed',
    meaning: 'PostgreSQL accepts settlements again.',
  },
  'credit.release_failed': {
    level: 'error',
    message: 'credit release failed',
    meaning: 'Reserved credit of a request was not released. It returns when the lease ends.',
  },
  'credit.return_failed': {
    level: 'warn',
    message: 'credit return failed',
    meaning: 'Unused leased credit was not returned to its account. It is tried again.',
  },
  'credit.lease_lost': {
    level: 'warn',
    message: 'credit leases lost',
    meaning: 'This process did not renew its leases in time, and its credit was returned to the accounts.',
    action: 'Check the load of the machine and the connection to PostgreSQL.',
  },
  'credit.leases_reclaimed': {
    level: 'warn',
    message: 'credit leases reclaimed',
    meaning: 'Credit of processes that ended without stopping was returned to the accounts.',
  },
  'credit.maintenance_failed': {
    level: 'warn',
    message: 'credit maintenance failed',
    meaning: 'Leases could not be renewed or returned in this round. The next round tries again.',
    action: 'Check PostgreSQL if it repeats.',
  },
  'billing.uncovered': {
    level: 'warn',
    message: 'account could not pay for the whole request',
    meaning: 'A request cost more than its reservation and its account held. The rest is recorded as uncovered.',
    action: 'See the uncovered amount on the request page; check output limits and prices.',
  },
  'token.budget_reset_failed': {
    level: 'warn',
    message: 'token budget reset failed',
    meaning: 'The budget of an API token was not refilled. The next request tries again.',
  },
  'access.recheck_failed': {
    level: 'warn',
    message: 'access recheck failed',
    meaning: 'After a change of a user or token, open requests could not be checked. They are checked again.',
  },
  'request.failed': {
    level: 'error',
    message: 'request failed',
    meaning: 'A data-plane request ended with an unexpected error.',
    action: 'Read `err`. Report it if it is not caused by the database or a provider.',
  },
  'request.content_not_recorded': {
    level: 'warn',
    message: 'request content not recorded',
    meaning: 'The content of a request was not stored, although the options ask for it.',
  },
  'attempt.failed': {
    level: 'warn',
    message: 'attempt failed',
    meaning: 'A channel did not serve a request. `final` says whether another attempt follows.',
    action: 'See the channel in the console if it repeats.',
  },
  'stream.broken': {
    level: 'warn',
    message: 'stream broken',
    meaning: 'A provider ended a stream before its end. The client got an error event and pays for what it received.',
  },
  'content.word_found': {
    level: 'warn',
    message: 'blocked word found',
    meaning: 'A prompt contains a blocked word and was rejected.',
  },
  'content.expression_invalid': {
    level: 'warn',
    message: 'blocked expression is invalid',
    meaning: 'A line of the blocked words is not a valid regular expression. It is ignored.',
    action: 'Correct the line in the settings.',
  },
  'channel.disable_failed': {
    level: 'error',
    message: 'channel not disabled',
    meaning: 'A channel should have been disabled automatically, but the change was not stored.',
    action: 'Disable the channel by hand.',
  },
  'channel.flag_failed': {
    level: 'error',
    message: 'channel flag failed',
    meaning: 'A channel with implausible usage was not flagged.',
  },
  'channel.probe_failed': {
    level: 'error',
    message: 'channel probe failed',
    meaning: 'The test of a channel ended with an unexpected error.',
    action: 'Read `err`.',
  },
  'channel.check_failed': {
    level: 'warn',
    message: 'channel check failed',
    meaning: 'One channel could not be checked during a run over all channels.',
  },
  'channel.sweep_failed': {
    level: 'error',
    message: 'channel sweep failed',
    meaning: 'A run over all channels ended early.',
    action: 'Read `err`, start the run again.',
  },
  'channel.sweep_progress_failed': {
    level: 'warn',
    message: 'channel sweep progress not stored',
    meaning: 'The progress of a run over all channels was not stored. The run goes on.',
  },
  'channel.sweep_finished': { level: 'info', message: 'channel sweep finished', meaning: 'All channels were checked.' },
  'channel.reenabled': {
    level: 'info',
    message: 'channels enabled again',
    meaning: 'Channels that had been disabled automatically passed their test.',
  },
  'channel.keys_counted': {
    level: 'info',
    message: 'channel keys counted',
    meaning: 'The number of keys of older channels was stored, once after an upgrade.',
  },
  'response.not_stored': {
    level: 'warn',
    message: 'response not stored',
    meaning:
      'A response of the Responses API was not stored. Its client received it, and cannot continue it by its id.',
    action: 'Check PostgreSQL if it repeats.',
  },
  'response.lease_not_renewed': {
    level: 'warn',
    message: 'response lease not renewed',
    meaning:
      'Responses that run in the background could not be renewed in PostgreSQL. They are shown as failed if it lasts.',
    action: 'Check PostgreSQL.',
  },
  'task.poll_failed': {
    level: 'warn',
    message: 'task poll failed',
    meaning: 'A provider did not report the state of its tasks. They are polled again.',
  },
  'task.update_failed': {
    level: 'error',
    message: 'task update failed',
    meaning: 'The reported state of a task was not stored. It is polled again.',
  },
  'task.callback_empty': {
    level: 'info',
    message: 'task callback without a report',
    meaning: 'A provider called back without the state of the task.',
  },
  'task.acceptance_not_recorded': {
    level: 'warn',
    message: 'task acceptance not recorded',
    meaning: 'A provider accepted a task, but that was not stored yet. It is tried again.',
  },
  'task.rejection_not_recorded': {
    level: 'warn',
    message: 'task rejection not recorded',
    meaning: 'No provider accepted a task, but that was not stored. The task ends at its deadline.',
  },
  'task.batch_ended': {
    level: 'info',
    message: 'tasks ended',
    meaning: 'Tasks ended in this round of polling. Fields: ended, overdue, paidBack.',
  },
} as const satisfies Readonly<Record<string, LogEvent>>
