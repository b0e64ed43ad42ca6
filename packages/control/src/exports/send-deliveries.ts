import { logEvent } from '@tidegate/contract'
import { providerOf, type UpstreamRequest } from '@tidegate/providers'
import {
  chatContents,
  type ClaimedExport,
  exportDeliveries,
  exportDestinations,
  type ExportDestinationRow,
  logFeed,
} from '@tidegate/storage'
import type { Deps } from '../deps.ts'
import type { DeliveryAttempt } from '../messaging/outbox/delivery-result.ts'
import { postGuarded } from '../messaging/outbox/send-webhook.ts'
import { openSecrets, optionsOf, parseExportUrl } from './destination.ts'
import { type ExportRecord, toExportRecord } from './export-record.ts'
import { countRejected, type ExportRequest, exportRequests } from './export-requests.ts'

export type ExportDeps = Pick<
  Deps,
  'db' | 'vault' | 'catalog' | 'log' | 'now' | 'site' | 'webhookClient' | 'upstream'
> & {
  /** For metrics. */
  report?(attempt: { kind: ExportDestinationRow['kind']; result: 'delivered' | 'retried' | 'failed' }): void
}

/** Deliveries that are sent at once. Those of users cannot delay those of the site. */
const SLOTS = { site: 4, users: 8 } as const
const TIMEOUT_MS = 20_000
const MAX_ATTEMPTS = 12
const FIRST_RETRY_SECONDS = 10
const MAX_RETRY_SECONDS = 3_600
/** The receiver has understood this delivery and does not accept it. Others may be accepted. */
const FINAL_STATUSES: ReadonlySet<number> = new Set([400, 413, 422])

export interface ExportSender {
  /** Starts to send due deliveries, as many as there are free slots. */
  startDue(): Promise<number>
  /** Resolves when one of the running deliveries ends. */
  next(): Promise<unknown>
  /** Resolves when all running deliveries have ended. */
  idle(): Promise<void>
}

/** Sends deliveries. A slow destination occupies one slot and delays no other one. */
export function createExportSender(deps: ExportDeps): ExportSender {
  const running = { site: new Set<Promise<void>>(), users: new Set<Promise<void>>() }
  const start = async (owners: 'site' | 'users') => {
    const limit = SLOTS[owners] - running[owners].size
    const claimed = await exportDeliveries.claimDue(deps.db, { ofUsers: owners === 'users', limit })
    for (const delivery of claimed) {
      const sending = deliver(deps, delivery).finally(() => running[owners].delete(sending))
      running[owners].add(sending)
    }
    return claimed.length
  }
  return {
    async startDue() {
      const ofUsers = deps.catalog().settings.UserExportsEnabled ? await start('users') : 0
      return ofUsers + (await start('site'))
    },
    next: () => Promise.race([...running.site, ...running.users]),
    idle: async () => void (await Promise.all([...running.site, ...running.users])),
  }
}

async function deliver(deps: ExportDeps, delivery: ClaimedExport): Promise<void> {
  try {
    await finish(deps, delivery, await trySend(deps, delivery))
  } catch (error) {
    // Database error: the lease expires and the delivery is sent again.
    logEvent(deps.log, 'export.state_not_stored', { err: error, delivery: delivery.id })
  }
}

/** An attempt, with the size of what the receiver accepted. */
interface ExportAttempt extends Omit<DeliveryAttempt, 'error'> {
  readonly error: string
  readonly rejected: number
  readonly bytes: number
}

const NOTHING_SENT = { rejected: 0, bytes: 0 }

/** Internal errors, such as credentials that cannot be opened, count as an attempt, so they do not repeat forever. */
async function trySend(deps: ExportDeps, delivery: ClaimedExport): Promise<ExportAttempt> {
  try {
    const records = await readRecords(deps, delivery)
    if (records.length === 0) return { error: 'log_removed', isFinal: true, ...NOTHING_SENT }
    return await sendParts(deps, delivery, records)
  } catch (error) {
    logEvent(deps.log, 'export.attempt_error', { err: error, delivery: delivery.id })
    return { error: 'interrupted', ...NOTHING_SENT }
  }
}

async function readRecords(deps: ExportDeps, delivery: ClaimedExport): Promise<ExportRecord[]> {
  const { destination, after_id: after, last_id: last, first_time: from, last_time: to } = delivery
  const { include_failed: includeFailed, include_content } = optionsOf(destination)
  const userId = destination.user_id ?? undefined
  const rows = await logFeed.readRequests(deps.db, { after, last, from, to, userId, includeFailed })
  const ids = include_content ? rows.map(({ request_id }) => request_id).filter((id) => id !== '') : []
  const contents = await chatContents.findByRequestIds(deps.db, ids)
  const { channels, settings } = deps.catalog()
  return rows.map((row) =>
    toExportRecord(row, {
      forSite: destination.user_id === null,
      quotaPerUnit: settings.QuotaPerUnit,
      providerOf: (channelId) => providerOf(channels.get(channelId)?.type ?? 0).id,
      contentOf(requestId) {
        const content = contents.get(requestId)
        if (!content) return undefined
        const { system_prompt, context, input_content: input, output_content: output } = content
        return { system_prompt, context, input, output }
      },
    }),
  )
}

/** Parts that the receiver accepted before are not sent again: it would add up metrics twice. */
async function sendParts(
  deps: ExportDeps,
  { id, parts, destination }: ClaimedExport,
  records: readonly ExportRecord[],
): Promise<ExportAttempt> {
  const batch = { name: deliveryName(destination.id, id), records, now: deps.now(), version: deps.site.version }
  const requests = exportRequests(destination, openSecrets(deps.vault, destination), batch)
  let sent: ExportAttempt = { error: '', ...NOTHING_SENT }
  for (const request of requests.filter(({ part }) => !parts.includes(part))) {
    const { bytes, ...attempt } = await sendRequest(deps, destination, request)
    if (attempt.error !== '') return { ...attempt, rejected: sent.rejected, bytes: sent.bytes }
    const rejected = sent.rejected + countRejected(attempt.responseBody ?? '')
    sent = { ...attempt, error: '', rejected, bytes: sent.bytes + bytes }
    if (requests.length > 1) await exportDeliveries.addPart(deps.db, id, request.part)
  }
  return sent
}

export function deliveryName(destinationId: number, id: number | 'test'): string {
  return `tidegate-${destinationId}-${id}`
}

/** Sends one request through the guard: redirects are not followed, and the resolved address is checked. */
export async function sendRequest(
  deps: Pick<Deps, 'site' | 'webhookClient' | 'upstream'>,
  { user_id, url }: Pick<ExportDestinationRow, 'user_id' | 'url'>,
  request: ExportRequest,
): Promise<DeliveryAttempt & { bytes: number }> {
  let bytes = 0
  const forSite = user_id === null
  const prepare = async () => {
    parseExportUrl(deps, forSite, url)
    const prepared = await request.prepare()
    // The bucket can be a part of the host name.
    parseExportUrl(deps, forSite, prepared.url)
    bytes = prepared.body?.length ?? 0
    return prepared
  }
  const attempt = await postGuarded(prepare, (prepared) => open(deps, forSite, prepared), TIMEOUT_MS)
  return { ...attempt, bytes }
}

/** Administrators choose destinations of the site, as they choose channels; users choose their own, as webhooks. */
function open(
  { webhookClient, upstream }: Pick<Deps, 'webhookClient' | 'upstream'>,
  forSite: boolean,
  request: UpstreamRequest,
) {
  const client = forSite ? upstream : webhookClient
  if (!client) throw new Error('this process has no client for exports')
  return client.open(request)
}

/** Stores the result: delivered, retry later, or failed. */
async function finish(deps: ExportDeps, delivery: ClaimedExport, attempt: ExportAttempt): Promise<void> {
  const { db, log } = deps
  const { destination } = delivery
  const { error, responseStatus, responseBody = '', rejected, bytes } = attempt
  const isFinal =
    attempt.isFinal === true || FINAL_STATUSES.has(responseStatus ?? 0) || delivery.attempts >= MAX_ATTEMPTS
  const retryInSeconds = error === '' || isFinal ? undefined : retryDelay(delivery.attempts, attempt.retryAfterSeconds)
  const state = error === '' ? 'delivered' : isFinal ? 'failed' : 'pending'
  const result = { error, response_status: responseStatus ?? null, response_body: responseBody, rejected, bytes }
  await db.transaction().execute(async (transaction) => {
    // The destination first, as everywhere, to avoid deadlocks.
    if (state === 'delivered') await exportDestinations.recordSuccess(transaction, destination.id)
    else await exportDestinations.recordFailure(transaction, destination.id, retryInSeconds)
    await exportDeliveries.finish(transaction, delivery, { state, retryInSeconds, ...result })
  })
  deps.report?.({ kind: destination.kind, result: state === 'pending' ? 'retried' : state })
  if (state !== 'failed') return
  const { id, records, attempts } = delivery
  const facts = { delivery: id, destination: destination.id, userId: destination.user_id, kind: destination.kind }
  logEvent(log, 'export.delivery_failed', { ...facts, records, attempts, error, responseStatus })
}

/** Doubles with each attempt, with jitter so that destinations do not retry together after an outage. */
export function retryDelay(attempts: number, retryAfterSeconds = 0, random = Math.random): number {
  const delay = Math.min(FIRST_RETRY_SECONDS * 2 ** (attempts - 1), MAX_RETRY_SECONDS)
  const jittered = delay * (0.75 + random() / 2)
  return Math.round(Math.max(jittered, Math.min(retryAfterSeconds, MAX_RETRY_SECONDS)))
}
