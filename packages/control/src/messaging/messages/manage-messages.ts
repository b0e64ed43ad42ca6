import { ApiError, type api } from '@tidegate/contract'
import { inTransaction } from '@tidegate/ledger'
import { inboxReceipts, messages, type Db, type MessageRow } from '@tidegate/storage'
import type { Deps } from '../../deps.ts'
import type { Actor, Origin } from '../../http/actor.ts'
import { checkSendAt, checkText } from './message-fields.ts'
import { viewOf } from './message-view.ts'
import { recordAct } from './record-act.ts'

/** As many inboxes are reached before the answer; more than that is the worker's business. */
const AT_ONCE = 1000

/** Writes a message. A short list has it with the commit; a group, everybody and what waits are sent in the background. */
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
    await recordAct(transaction, { act: 'create', row, actor, origin, at })
    return viewOf(transaction, row)
  })
}

type Draft = Pick<MessageRow, 'title' | 'content' | 'format' | 'created_by' | 'created_at' | 'updated_at' | 'send_at'>

async function send(transaction: Db, draft: Draft, recipients: Recipients): Promise<MessageRow> {
  const state = draft.send_at === null ? 'sending' : 'scheduled'
  if (recipients.target !== 'users') return messages.insert(transaction, { ...draft, ...recipients, state })
  const { ids } = recipients
  if (state === 'scheduled' || ids.length > AT_ONCE) {
    return messages.insert(transaction, { ...draft, state, target_user_ids: ids, planned: ids.length })
  }
  const row = await messages.insert(transaction, { ...draft, ...messages.sentTo(ids.length, draft.created_at) })
  await inboxReceipts.addReceipts(transaction, row.id, ids)
  return row
}

type Recipients = { target: 'users'; ids: number[] } | { target: 'group'; target_group: string } | { target: 'all' }

/** Exactly one of the three: a message to everybody must not come of a forgotten field. */
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
