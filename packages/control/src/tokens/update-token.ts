import { api, ApiError } from '@tidegate/contract'
import { changeTokenLimit, lockToken, resetTokenBudget, type LockedToken, type TokenLimit } from '@tidegate/ledger'
import { auditEvents, publish, tokens, type Db, type TokenRow } from '@tidegate/storage'
import type { Deps } from '../deps.ts'
import { ownModels } from '../models/groups.ts'
import type { Actor, Origin } from '../http/actor.ts'
import {
  checkAddresses,
  checkExpiry,
  checkGroup,
  checkModels,
  checkName,
  readLimit,
  splitModels,
} from './token-fields.ts'
import { statusNow, tokenView } from './read-tokens.ts'

const { enabled, disabled, expired, exhausted } = api.TOKEN_STATUS

type UpdateDeps = Pick<Deps, 'db' | 'vault' | 'catalog' | 'now'>

/** Changes a token, or only its status. All nodes drop their cached copy with the commit. */
export async function updateToken(
  deps: UpdateDeps,
  actor: Actor,
  edit: api.TokenEdit,
  { statusOnly }: { statusOnly: boolean },
  origin: Origin,
): Promise<api.ApiToken> {
  const { db, vault, now } = deps
  const at = now()
  await resetTokenBudget(db, edit.id, at)
  const changed = await db.transaction().execute(async (transaction) => {
    const token = await lockToken(transaction, edit.id)
    const row = await tokens.findOf(transaction, actor.id, edit.id)
    if (!token || !row) throw new ApiError('token_not_found')
    if (statusOnly) await setStatus(transaction, row, edit.status, at)
    else await changeFields(transaction, deps, actor, { token, row, edit, at })
    const after = (await tokens.findOf(transaction, actor.id, edit.id))!
    const details = { before: auditFields(row), after: auditFields(after) }
    const event = { action: 'token.update', subject: String(edit.id), details }
    await auditEvents.record(transaction, { actorId: actor.id, ...event, ...origin })
    await publish(transaction, { kind: 'caller', tokenHash: row.hash })
    return after
  })
  return tokenView(vault, changed, at)
}

interface TokenChange {
  token: LockedToken
  row: TokenRow
  edit: api.TokenEdit
  at: Date
}

async function changeFields(
  transaction: Db,
  { catalog }: Pick<Deps, 'catalog'>,
  actor: Actor,
  { token, row, edit, at }: TokenChange,
): Promise<void> {
  await tokens.change(transaction, row.id, {
    ...(edit.name !== undefined && { name: checkName(edit.name) }),
    ...(edit.expired_time !== undefined && { expires_at: readExpiry(row, edit.expired_time, at) }),
    ...(edit.model_limits !== undefined && { model_limits: readModels(catalog, actor, row, edit.model_limits) }),
    ...(edit.allow_ips !== undefined && { allow_ips: checkAddresses(edit.allow_ips ?? '') }),
    ...(edit.group !== undefined && {
      group: edit.group.trim() === row.group ? row.group : checkGroup(edit.group, catalog().settings, actor.group),
    }),
    ...pickGiven(edit),
    // Expired or exhausted tokens become enabled again.
    ...(row.status !== disabled && { status: enabled }),
  })
  const to = limitAfter(row, edit)
  if (to) await changeTokenLimit(transaction, { token, to, seen: edit.remain_quota_seen, actorId: actor.id, now: at })
}

/** The form sends all fields: an unchanged past expiry is allowed. */
function readExpiry(row: TokenRow, seconds: number, at: Date): Date | null {
  const same = row.expires_at !== null && Math.floor(row.expires_at.getTime() / 1000) === seconds
  return same ? row.expires_at : checkExpiry(seconds, at)
}

/** Stored names may stay, even if their channel is gone. */
function readModels(catalog: Deps['catalog'], actor: Actor, row: TokenRow, input: string): string {
  return checkModels(input, new Set([...ownModels(catalog(), actor.group), ...splitModels(row.model_limits)]))
}

const PLAIN_FIELDS = [
  'model_limits_enabled',
  'rate_limit_enabled',
  'rate_limit_period',
  'rate_limit_count',
  'rate_limit_success',
  'tokens_per_minute',
  'max_concurrency',
  'store_responses',
] as const satisfies readonly (keyof api.TokenEdit)[]

function pickGiven(edit: api.TokenEdit) {
  return Object.fromEntries(
    PLAIN_FIELDS.filter((field) => edit[field] !== undefined).map((field) => [field, edit[field]]),
  )
}

const LIMIT_FIELDS = ['unlimited_quota', 'remain_quota', 'budget_period', 'budget_quota', 'budget_zone'] as const

/** Undefined when the edit does not change the limit. */
function limitAfter(row: TokenRow, edit: api.TokenEdit): TokenLimit | undefined {
  if (LIMIT_FIELDS.every((field) => edit[field] === undefined)) return undefined
  return readLimit({
    unlimited_quota: edit.unlimited_quota ?? row.unlimited_quota,
    remain_quota: edit.remain_quota ?? row.remain_quota,
    budget_period: edit.budget_period ?? row.budget_period,
    budget_quota: edit.budget_quota ?? row.budget_quota,
    budget_zone: edit.budget_zone ?? row.budget_zone,
  })
}

/** Enables or disables a token. Tokens that cannot be used anyway are not enabled. */
async function setStatus(transaction: Db, row: TokenRow, requested: number | undefined, at: Date): Promise<void> {
  if (requested !== enabled && requested !== disabled) throw new ApiError('token_status_invalid')
  const status = requested === enabled ? statusNow({ ...row, status: enabled }, at) : disabled
  if (status === expired) throw new ApiError('token_still_expired')
  if (status === exhausted) throw new ApiError('token_still_exhausted')
  await tokens.change(transaction, row.id, { status })
}

/** Fields for the audit trail, without the secret. */
function auditFields({ hash: _hash, sealed_key: _key, hint: _hint, deleted_at: _gone, ...rest }: TokenRow) {
  return rest
}
