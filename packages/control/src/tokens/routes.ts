import { api, ApiError } from '@tidegate/contract'
import { resetTokenBudget } from '@tidegate/ledger'
import { auditEvents, publish, tokens, type TokenRow } from '@tidegate/storage'
import type { Deps } from '../deps.ts'
import type { Actor, Origin } from '../http/actor.ts'
import type { Serve } from '../serve.ts'
import { createToken } from './create-token.ts'
import { findTokens, tokenView } from './read-tokens.ts'
import { updateToken } from './update-token.ts'

export function registerTokens(serve: Serve, deps: Deps): void {
  const { db, vault, now } = deps
  /** Programs with read scope see the tokens but not their secrets. */
  const view = (actor: Actor, row: TokenRow) => {
    const token = tokenView(vault, row, now())
    const maySpend = actor.automation?.scopes.includes('tokens:write') ?? true
    return maySpend ? token : { ...token, key: row.hint }
  }
  serve(api.listTokens, async ({ actor, query, reply }) => {
    const { rows, total } = await findTokens(deps, actor, {}, query)
    void reply.header(api.TOTAL_HEADER, total)
    return rows.map((row) => view(actor, row))
  })
  serve(api.searchTokens, async ({ actor, query, reply }) => {
    const { rows, total } = await findTokens(deps, actor, query.filters, query.page)
    void reply.header(api.TOTAL_HEADER, total)
    return rows.map((row) => view(actor, row))
  })
  serve(api.getToken, async ({ actor, params }) => {
    const row = await tokens.findOf(db, actor.id, params.id!)
    if (!row) throw new ApiError('token_not_found')
    const renewed = await resetTokenBudget(db, row.id, now())
    return view(actor, renewed ? (await tokens.findOf(db, actor.id, row.id))! : row)
  })
  serve(api.createToken, ({ actor, body, origin }) => createToken(deps, actor, body, origin))
  serve(api.updateToken, ({ actor, body, query, origin }) =>
    updateToken(deps, actor, body, { statusOnly: query.status_only }, origin),
  )
  serve(api.deleteToken, ({ actor, params, origin }) => deleteToken(deps, actor, params.id!, origin))
}

/** All nodes forget the token with the commit. */
async function deleteToken(
  { db, now }: Pick<Deps, 'db' | 'now'>,
  actor: Actor,
  id: number,
  origin: Origin,
): Promise<void> {
  await db.transaction().execute(async (transaction) => {
    const tokenHash = await tokens.remove(transaction, actor.id, id, now())
    if (tokenHash === undefined) throw new ApiError('token_not_found')
    const event = { action: 'token.delete', subject: String(id) }
    await auditEvents.record(transaction, { actorId: actor.id, ...event, ...origin })
    await publish(transaction, { kind: 'caller', tokenHash })
  })
}
