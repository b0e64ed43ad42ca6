import { type api, ApiError } from '@tidegate/contract'
import { inTransaction } from '@tidegate/ledger'
import { auditEvents, type Db, inboxReceipts, type MessageRow, messages } from '@tidegate/storage'
import type { Deps } from '../../deps.ts'
import type { Actor, Origin } from '../../http/actor.ts'
import { writeManageLog } from '../../users/user-log.ts'
import { checkSendAt, checkText } from './message-fields.ts'
import { viewOf } from './message-view.ts'

/** Recipients reached before the response; the worker delivers larger messages. */
const MAX_SYNC_RECIPIENTS = 1000

/**
 * Creates a message. Short recipient lists are delivered with the commit; groups, all users and scheduled messages in
 * the background.
 */
export async function createMessage(
  { db, catalog, now }: Pick<Deps, 'db' | 'catalog' | 'now'>,
  actor: Actor,
  input: api.NewMessage,
  origin: Origin,
): Promise<api.Message> {
  const at = now()
  const text = checkText(input)
  const recipients = readRecipients(input)
  if (recipients.target === 'group') checkGroup(catalog, recipients.target_group)
  const send_at = typeof input.send_at === 'number' ? checkSendAt(input.send_at, at) : null

  return inTransaction(db, at, async (transaction) => {
    if (recipients.target === 'users') await checkUsers(transaction, recipients.ids)
    const draft = { ...text, created_by: actor.id, created_at: at, updated_at: at }
    const row = await send(transaction, { ...draft, send_at }, recipients)
    await recordChange(transaction, { action: 'create', row, actor, origin, at })
    return viewOf(transaction, row)
  })
}

type Draft = Pick<MessageRow, 'title' | 'content' | 'format' | 'created_by' | 'created_at' | 'updated_at' | 'send_at'>

async function send(transaction: Db, draft: Draft, recipients: Recipients): Promise<MessageRow> {
  const state = draft.send_at === null ? 'sending' : 'scheduled'
  if (recipients.target !== 'users') return messages.insert(transaction, { ...draft, ...recipients, state })
  const { ids } = recipients
  if (state === 'scheduled' || ids.length > MAX_SYNC_RECIPIENTS) {
    return messages.insert(transaction, { ...draft, state, target_user_ids: ids, planned: ids.length })
  }
  const row = await messages.insert(transaction, { ...draft, ...messages.sentColumns(ids.length, draft.created_at) })
  await inboxReceipts.addReceipts(transaction, row.id, ids)
  return row
}

type Recipients = { target: 'users'; ids: number[] } | { target: 'group'; target_group: string } | { target: 'all' }

/** Requires exactly one of the three, so that a missing field never means all users. */
function readRecipients({ user_ids, group, all }: api.NewMessage): Recipients {
  const ids = [...new Set(user_ids)]
  const target_group = group?.trim() ?? ''
  const chosen = [ids.length > 0, target_group !== '', all === true].filter(Boolean).length
  if (chosen === 0) throw new ApiError('recipients_required')
  if (chosen > 1) throw new ApiError('recipients_ambiguous')
  if (all === true) return { target: 'all' }
  return target_group === '' ? { target: 'users', ids } : { target: 'group', target_group }
}

function checkGroup(catalog: Deps['catalog'], group: string): void {
  if (!Object.hasOwn(catalog().settings.GroupRatio, group)) throw new ApiError('group_unknown', { group })
}

const NAMED_IDS = 20

async function checkUsers(transaction: Db, ids: number[]): Promise<void> {
  const strange = ids.filter((id) => !Number.isSafeInteger(id) || id <= 0)
  const known = ids.filter((id) => !strange.includes(id))
  const unknown = [...strange, ...(await inboxReceipts.findMissing(transaction, known))]
  if (unknown.length === 0) return
  const named = unknown.slice(0, NAMED_IDS).join(', ')
  throw new ApiError(
    'recipients_unknown',
    { ids: unknown.length > NAMED_IDS ? `${named}, … (${unknown.length})` : named },
    { data: { user_ids: unknown } },
  )
}

/** Changes a message, also after delivery, and its time while it is scheduled. */
export async function updateMessage(
  { db, now }: Pick<Deps, 'db' | 'now'>,
  actor: Actor,
  id: number,
  edit: api.MessageEdit,
  origin: Origin,
): Promise<api.Message> {
  const at = now()
  const text = checkText(edit)
  return inTransaction(db, at, async (transaction) => {
    const before = await messages.lock(transaction, id)
    if (!before) throw new ApiError('message_not_found')
    const row = await messages.update(transaction, id, { ...text, ...newSendAt(before, edit, at), updated_at: at })
    await recordChange(transaction, { action: 'update', before, row, actor, origin, at })
    return viewOf(transaction, row)
  })
}

/** Forms send the time back unchanged; an equal time is no change. */
function newSendAt(before: MessageRow, { send_at }: api.MessageEdit, at: Date): { send_at?: Date } {
  const stored = before.send_at && Math.floor(before.send_at.getTime() / 1000)
  if (send_at === undefined || send_at === stored) return {}
  if (before.state !== 'scheduled') throw new ApiError('message_sent')
  return { send_at: send_at === null ? at : checkSendAt(send_at, at) }
}

/** Removes a message from all inboxes and stops its delivery. */
export async function deleteMessage(
  { db, now }: Pick<Deps, 'db' | 'now'>,
  actor: Actor,
  id: number,
  origin: Origin,
): Promise<void> {
  const at = now()
  await inTransaction(db, at, async (transaction) => {
    const row = await messages.lock(transaction, id)
    if (!row) throw new ApiError('message_not_found')
    await messages.remove(transaction, id)
    await recordChange(transaction, { action: 'delete', row, actor, origin, at })
  })
}

interface MessageChange {
  action: keyof typeof LOG_TEXTS
  row: MessageRow
  /** The message before an edit. */
  before?: MessageRow
  actor: Actor
  origin: Origin
  at: Date
}

const LOG_TEXTS = {
  create: 'Message sent to users',
  update: 'Message to users changed',
  delete: 'Message to users removed',
} as const

/** Records the change in the audit trail and in the administrator's log, in the same transaction. */
async function recordChange(transaction: Db, { action, row, before, actor, origin, at }: MessageChange): Promise<void> {
  const details = before ? { before: auditFields(before), after: auditFields(row) } : auditFields(row)
  const event = { action: `message.${action}`, subject: String(row.id), details }
  await auditEvents.record(transaction, { actorId: actor.id, ...event, ...origin })
  await writeManageLog(transaction, {
    userId: actor.id,
    username: actor.username,
    at,
    event: `message_${action}`,
    content: `${LOG_TEXTS[action]}: ${row.title}`,
    facts: { actor_id: actor.id, message_id: row.id },
  })
}

/** Identifies the message; the content would make the audit trail too large. */
function auditFields({ title, format, content, target, target_group, state, send_at, delivered }: MessageRow) {
  return { title, format, characters: [...content].length, target, group: target_group, state, send_at, delivered }
}
