import { Refusal } from '@tidegate/contract'
import { auditEvents, registrations } from '@tidegate/storage'
import type { Deps } from '../deps.ts'
import type { Actor, Origin } from '../http/actor.ts'
import { readEmail } from './check-email.ts'
import { checkCode } from './mail-codes.ts'

/** Makes an address the account's own, with a code that was mailed to it for this user and this purpose. */
export async function bindEmail(
  deps: Pick<Deps, 'db' | 'vault' | 'now'>,
  actor: Actor,
  input: { email: string; code: string },
  origin: Origin,
): Promise<void> {
  if (input.email.trim() === '' || input.code.trim() === '') throw new Refusal('invalid_params')
  const address = readEmail(input.email)
  const code = await checkCode(deps, { purpose: 'bind', address, userId: actor.id }, input.code.trim())
  if (!code) throw new Refusal('code_invalid')

  await deps.db.transaction().execute(async (transaction) => {
    if (!(await code.use(transaction))) throw new Refusal('code_invalid')
    // Deregistered users keep theirs; between live ones the index decides.
    if (await registrations.isEmailUsed(transaction, address)) throw new Refusal('email_taken')
    if (!(await registrations.setEmail(transaction, actor.id, address))) throw new Refusal('email_taken')
    const subject = String(actor.id)
    await auditEvents.record(transaction, { actorId: actor.id, action: 'user.bind_email', subject, ...origin })
  })
}
