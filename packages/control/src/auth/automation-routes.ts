import { api, ApiError } from '@tidegate/contract'
import { auditEvents, automationTokens } from '@tidegate/storage'
import type { Deps } from '../deps.ts'
import type { Actor, Origin } from '../http/actor.ts'
import type { Serve } from '../serve.ts'
import { automationTokenView } from './automation-token-view.ts'
import { createAutomationToken, scopesFor } from './create-automation-token.ts'

export function registerAutomation(serve: Serve, deps: Deps): void {
  serve(api.listAutomationTokens, async ({ actor }) => {
    const rows = await automationTokens.listOf(deps.db, actor.id)
    return { items: rows.map((row) => automationTokenView(row, deps.now())), scopes: [...scopesFor(actor.role)] }
  })
  serve(api.createAutomationToken, ({ actor, body, origin }) => createAutomationToken(deps, actor, body, origin))
  serve(api.revokeAutomationToken, ({ actor, params, origin }) => revoke(deps, actor, params.id!, origin))
}

async function revoke({ db }: Pick<Deps, 'db'>, actor: Actor, id: number, origin: Origin): Promise<void> {
  if (actor.sessionHash === undefined) throw new ApiError('session_required') // tokens do not manage tokens
  await db.transaction().execute(async (transaction) => {
    const name = await automationTokens.remove(transaction, actor.id, id)
    if (name === undefined) throw new ApiError('token_not_found')
    const event = { action: 'user.automation_token_revoke', subject: String(actor.id), details: { name } }
    await auditEvents.record(transaction, { actorId: actor.id, ...event, ...origin })
  })
}
