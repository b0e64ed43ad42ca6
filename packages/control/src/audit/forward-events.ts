import { type Settings, logEvent } from '@tidegate/contract'
import { auditChain, type Db, type ExportedRecord, type ForwardDestination, type ForwardState } from '@tidegate/storage'
import type { Deps } from '../deps.ts'
import { postSigned } from '../messaging/outbox/send-webhook.ts'
import { exportLine } from './chain.ts'
import { parseSyslogAddress, sendSyslog } from './syslog.ts'

export interface ForwardDeps extends Pick<Deps, 'db' | 'catalog' | 'log' | 'now' | 'site' | 'webhookClient'> {
  /** For metrics. */
  report?(status: ForwardStatus): void
}

/** State of a destination after a run. */
export interface ForwardStatus {
  destination: ForwardDestination
  /** Age of the oldest sealed event that the destination has not received. */
  lagSeconds: number
  /** An attempt in this run failed. */
  failed: boolean
}

/** A run plus one attempt ends before the job lease does, so only one process sends at a time. */
const RUN_MS = 4_000
const SYSLOG_TIMEOUT_MS = 5_000
const MAX_EVENTS = 200
const MAX_BYTES = 1_000_000
const FIRST_RETRY_SECONDS = 5
const MAX_RETRY_SECONDS = 300

/**
 * Sends sealed events to the configured destinations, in chain order and at least once. A failed destination is retried
 * from the same event; the others continue.
 */
export async function forwardEvents(deps: ForwardDeps, stopping: AbortSignal): Promise<void> {
  const { settings } = deps.catalog()
  await Promise.all(destinationsOf(deps, settings).map((destination) => forwardTo(deps, destination, stopping)))
}

interface Destination {
  name: ForwardDestination
  /** Undefined on success, otherwise an error code for the log without any part of the address. */
  send(records: readonly ExportedRecord[]): Promise<string | undefined>
}

type ForwardSettings = Pick<Settings, 'audit.syslog_address' | 'audit.webhook_url' | 'audit.webhook_secret'>

function destinationsOf(deps: ForwardDeps, settings: ForwardSettings): Destination[] {
  const syslog = settings['audit.syslog_address']
  const url = settings['audit.webhook_url']
  const secret = settings['audit.webhook_secret'] || undefined
  return [
    ...(syslog === '' ? [] : [{ name: 'syslog' as const, send: syslogSender(syslog) }]),
    ...(url === '' ? [] : [{ name: 'webhook' as const, send: webhookSender(deps, { url, secret }) }]),
  ]
}

function syslogSender(address: string): Destination['send'] {
  return async (records) => {
    try {
      await sendSyslog(parseSyslogAddress(address), records, AbortSignal.timeout(SYSLOG_TIMEOUT_MS))
      return undefined
    } catch (error) {
      return (error as { code?: string }).code ?? 'unknown'
    }
  }
}

/** Does not use the operator's worker: it would serialize the body again and break hashes and signature. */
function webhookSender(
  deps: ForwardDeps,
  { url, secret }: { url: string; secret: string | undefined },
): Destination['send'] {
  return async (records) => {
    const { webhookClient } = deps
    if (!webhookClient) throw new Error('this process has no client for webhooks')
    const body = records.map((record) => `${exportLine(record)}\n`).join('')
    const headers = { 'Content-Type': 'application/x-ndjson' }
    // A batch that grew since the last attempt needs another id.
    const id = `audit-${records[0]!.id}-${records.at(-1)!.id}`
    const attempt = await postSigned(deps, { url, secret, id, headers, body }, (request) => webhookClient.open(request))
    if (attempt.error === '') return undefined
    return attempt.responseStatus === undefined ? attempt.error : `${attempt.error} ${attempt.responseStatus}`
  }
}

async function forwardTo(deps: ForwardDeps, destination: Destination, stopping: AbortSignal): Promise<void> {
  const { db, now } = deps
  const end = performance.now() + RUN_MS
  let state: ForwardState | undefined = await auditChain.forwardState(db, destination.name)
  let batch = await nextBatch(db, state)
  let failed = false
  if (state.retry_at !== null && state.retry_at > now()) state = undefined
  while (state && batch.length > 0 && !stopping.aborted && performance.now() < end) {
    const error = await destination.send(batch)
    failed = error !== undefined
    state = failed ? await delay(deps, state, error) : await advance(deps, state, batch.at(-1)!)
    if (state) batch = await nextBatch(db, state)
  }
  deps.report?.({ destination: destination.name, lagSeconds: lagOf(batch, now()), failed })
}

/** Records that the destination has everything up to this event. Undefined when another process sends too. */
async function advance({ db, log }: ForwardDeps, from: ForwardState, last: ExportedRecord) {
  const { destination, failures } = from
  if (failures > 0) logEvent(log, 'audit.forward_recovered', { destination })
  return auditChain.advanceForward(db, from, last)
}

async function delay({ db, log, now }: ForwardDeps, from: ForwardState, error: string | undefined): Promise<undefined> {
  const { destination } = from
  const failures = from.failures + 1
  logEvent(log, 'audit.forward_failed', { destination, error, failures })
  await auditChain.delayForward(db, from, new Date(now().getTime() + retrySeconds(failures) * 1000))
}

async function nextBatch(db: Db, { seal, event_id: id }: ForwardState): Promise<ExportedRecord[]> {
  const records = await auditChain.pageAfter(db, {}, { seal, id }, MAX_EVENTS)
  let bytes = 0
  const end = records.findIndex(({ details }) => (bytes += details.length) > MAX_BYTES)
  return end === -1 ? records : records.slice(0, Math.max(end, 1))
}

function retrySeconds(failures: number): number {
  return Math.min(FIRST_RETRY_SECONDS * 2 ** Math.min(failures - 1, 10), MAX_RETRY_SECONDS)
}

function lagOf(batch: readonly ExportedRecord[], now: Date): number {
  const [oldest] = batch
  return oldest ? Math.max(0, (now.getTime() - Date.parse(oldest.created_at)) / 1000) : 0
}
