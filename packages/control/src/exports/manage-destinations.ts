import { api, ApiError, type Language } from '@tidegate/contract'
import {
  auditEvents,
  type Db,
  exportDestinations,
  type ExportDestinationRow,
  type ExportDestinationState,
  type ExportOwner,
  logFeed,
  users,
} from '@tidegate/storage'
import { ensureSessionActive } from '../auth/reauthenticate.ts'
import type { Deps } from '../deps.ts'
import type { Actor, Origin } from '../http/actor.ts'
import { requireEgressAllowed } from '../http/egress.ts'
import { rateLimitError } from '../http/rate-limits.ts'
import { checkOptions, checkSecrets, openSecrets, optionsOf, parseExportUrl, sealSecrets } from './destination.ts'
import { exportErrorText } from './export-errors.ts'
import type { ExportRecord } from './export-record.ts'
import { countRejected, exportRequests } from './export-requests.ts'
import { deliveryName, sendRequest } from './send-deliveries.ts'

/** Who manages destinations: an administrator those of the site, or a user their own. */
export interface ExportManager {
  readonly actor: Actor
  readonly owner: ExportOwner
  readonly origin: Origin
}

interface ExportEditor extends ExportManager {
  readonly language: Language
}

type ManageDeps = Pick<Deps, 'db' | 'vault' | 'catalog' | 'site' | 'upstream' | 'now' | 'limiter' | 'webhookClient'>

export async function listDestinations(
  deps: Pick<Deps, 'db' | 'vault' | 'catalog' | 'now'>,
  owner: ExportOwner,
  language: Language,
): Promise<api.ExportList> {
  const { settings } = deps.catalog()
  const rows = await exportDestinations.listWithState(deps.db, owner)
  return {
    items: rows.map((row) => destinationView(deps, row, language)),
    limit: owner === null ? api.MAX_EXPORTS.site : api.MAX_EXPORTS.user,
    active: owner === null || settings.UserExportsEnabled,
    logs_served: settings.LogConsumeEnabled,
    logs_failed: settings.LogErrorEnabled,
  }
}

export async function createDestination(
  deps: ManageDeps,
  { actor, owner, origin, language }: ExportEditor,
  { kind, secrets, ...input }: api.NewExport,
): Promise<api.ExportDestination> {
  requireActive(deps, owner)
  const fields = await checkFields(deps, owner, kind, input)
  const credentials = checkSecrets(kind, secrets)
  const id = await deps.db.transaction().execute(async (transaction) => {
    await lockOwner(transaction, actor)
    const limit = owner === null ? api.MAX_EXPORTS.site : api.MAX_EXPORTS.user
    if ((await exportDestinations.countOf(transaction, owner)) >= limit) throw new ApiError('export_limit', { limit })
    const cursor = await logFeed.lastLogId(transaction)
    const created = await exportDestinations.insert(transaction, { kind, userId: owner, fields, cursor }, (newId) =>
      sealSecrets(deps.vault, newId, credentials),
    )
    await record(transaction, { actor, owner, origin }, 'export.create', { id: created, kind, ...fields })
    return created
  })
  return findView(deps, { owner, language }, id)
}

export async function updateDestination(
  deps: ManageDeps,
  { actor, owner, origin, language }: ExportEditor,
  id: number,
  { secrets, ...input }: api.ExportChange,
): Promise<api.ExportDestination> {
  requireActive(deps, owner)
  const { kind } = await findDestination(deps.db, owner, id)
  const fields = await checkFields(deps, owner, kind, input)
  const entered = secrets && checkSecrets(kind, secrets)
  await deps.db.transaction().execute(async (transaction) => {
    await lockOwner(transaction, actor)
    const row = await findDestination(transaction, owner, id)
    // Stored credentials are sent only to the host that they were entered for.
    const sameHost = new URL(row.url).origin === new URL(fields.url).origin
    if (!entered && row.sealed !== '' && !sameHost) throw new ApiError('export_secrets_needed')
    const sealed = entered ? sealSecrets(deps.vault, id, entered) : row.sealed
    await exportDestinations.update(transaction, id, { ...fields, sealed })
    await record(transaction, { actor, owner, origin }, 'export.update', { id, kind, ...fields })
  })
  return findView(deps, { owner, language }, id)
}

export async function deleteDestination(
  { db }: Pick<Deps, 'db'>,
  { actor, owner, origin }: ExportManager,
  id: number,
): Promise<void> {
  await db.transaction().execute(async (transaction) => {
    const row = await findDestination(transaction, owner, id)
    await exportDestinations.remove(transaction, owner, id)
    const { kind, url, name, enabled } = row
    await record(transaction, { actor, owner, origin }, 'export.delete', { id, kind, url, name, enabled })
  })
}

/** Sends an example request now. All destinations of a user share one limit, because others receive the requests. */
export async function testDestination(
  deps: ManageDeps,
  { actor, owner, language }: Pick<ExportEditor, 'actor' | 'owner' | 'language'>,
  id: number,
): Promise<api.ExportTest> {
  requireActive(deps, owner)
  const row = await findDestination(deps.db, owner, id)
  const taken = await deps.limiter.take([{ key: `export-test:${actor.id}`, limit: 5, windowSeconds: 60 }])
  if (!taken.allowed) throw rateLimitError(taken.retryAfterSeconds)
  const now = deps.now()
  const records = [exampleRecord(now, owner === null)]
  const batch = { name: deliveryName(id, 'test'), records, now, version: deps.site.version }
  let result: api.ExportTest = { delivered: true, error: '', response_status: null, response_body: '' }
  for (const request of exportRequests(row, openSecrets(deps.vault, row), batch)) {
    const { error, responseStatus: status = null, responseBody: body = '' } = await sendRequest(deps, row, request)
    const isRejected = error === '' && countRejected(body) > 0
    const text = isRejected ? exportErrorText('rejected', status, language) : exportErrorText(error, status, language)
    result = { delivered: error === '' && !isRejected, error: text, response_status: status, response_body: body }
    if (!result.delivered) return result
  }
  return result
}

/** A request that was never made. */
function exampleRecord(now: Date, forSite: boolean): ExportRecord {
  return {
    id: 0,
    request_id: `tidegate-test-${now.getTime()}`,
    time: now.toISOString(),
    status: 'success',
    operation: 'chat',
    model: 'tidegate-test',
    stream: true,
    duration_ms: 1200,
    first_token_ms: 300,
    user: { id: 0, name: 'test' },
    token: { id: 0, name: 'test' },
    group: 'default',
    usage: { input_tokens: 12, output_tokens: 34, cache_read_tokens: 0, cache_write_tokens: 0, reasoning_tokens: 0 },
    cost: { quota: 0, usd: 0 },
    ...(forSite && { channel: { id: 0, name: 'test', provider: 'openai' } }),
  }
}

async function checkFields(
  deps: ManageDeps,
  owner: ExportOwner,
  kind: api.ExportKind,
  { name, enabled, url, options }: Omit<api.ExportChange, 'secrets'>,
) {
  const parsed = parseExportUrl(deps, owner === null, url)
  await requireEgressAllowed(parsed.href)
  return { name, enabled, url: parsed.href, options: checkOptions(kind, options) }
}

export function requireActive({ catalog }: Pick<Deps, 'catalog'>, owner: ExportOwner): void {
  if (owner !== null && !catalog().settings.UserExportsEnabled) throw new ApiError('exports_disabled')
}

/** One change of an account at a time, so that the limit holds. */
async function lockOwner(transaction: Db, actor: Actor): Promise<void> {
  const user = await users.lock(transaction, actor.id)
  if (!user || user.deleted_at) throw new ApiError('user_not_found')
  await ensureSessionActive(transaction, actor)
}

export async function findDestination(db: Db, owner: ExportOwner, id: number): Promise<ExportDestinationRow> {
  const row = await exportDestinations.find(db, owner, id)
  if (!row) throw new ApiError('export_not_found')
  return row
}

type AuditedFields = Pick<ExportDestinationRow, 'id' | 'kind' | 'name' | 'url' | 'enabled'>

/** Paths of webhooks can be secret, so only the host is recorded. */
async function record(
  transaction: Db,
  { actor, owner, origin }: ExportManager,
  action: 'export.create' | 'export.update' | 'export.delete',
  { id, kind, name, url, enabled }: AuditedFields,
): Promise<void> {
  const details = { kind, name, host: new URL(url).host, enabled, site: owner === null }
  await auditEvents.record(transaction, { actorId: actor.id, action, subject: String(id), details, ...origin })
}

type ViewDeps = Pick<Deps, 'db' | 'vault' | 'now'>

async function findView(
  deps: ViewDeps,
  { owner, language }: Pick<ExportEditor, 'owner' | 'language'>,
  id: number,
): Promise<api.ExportDestination> {
  const rows = await exportDestinations.listWithState(deps.db, owner)
  const row = rows.find((candidate) => candidate.id === id)
  if (!row) throw new ApiError('export_not_found')
  return destinationView(deps, row, language)
}

function destinationView(
  { vault, now }: Pick<Deps, 'vault' | 'now'>,
  row: ExportDestinationState,
  language: Language,
): api.ExportDestination {
  const waitingSince = row.waiting_since?.getTime() ?? now().getTime()
  return {
    id: row.id,
    kind: row.kind,
    name: row.name,
    enabled: row.enabled,
    url: row.url,
    options: optionsOf(row),
    secrets: Object.keys(openSecrets(vault, row)),
    state: !row.enabled ? 'disabled' : row.failures > 0 ? 'failing' : 'ok',
    open: row.open,
    failed: row.failed,
    lag_seconds: Math.max(0, Math.round((now().getTime() - waitingSince) / 1000)),
    last_error: row.failures > 0 ? exportErrorText(row.last_error ?? '', row.last_status, language) : '',
    last_success_at: row.last_success_at?.toISOString() ?? null,
    retry_at: row.retry_at?.toISOString() ?? null,
    created_at: row.created_at.toISOString(),
  }
}
