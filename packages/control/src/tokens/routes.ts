import { api, Refusal } from '@tidegate/contract'
import { publish, tokens } from '@tidegate/storage'
import type { Deps } from '../deps.ts'
import type { Actor } from '../http/actor.ts'
import type { Serve } from '../http/serve.ts'
import { createToken } from './create-token.ts'
import { tokenView } from './token-view.ts'

export function registerTokens(serve: Serve, deps: Deps): void {
  const { db, vault } = deps
  serve(api.listTokens, async ({ actor, query }) => {
    const rows = await tokens.listOf(db, actor.id, query)
    return rows.map((row) => tokenView(vault, row))
  })
  serve(api.createToken, ({ actor, body }) => createToken(deps, actor, body))
  serve(api.deleteToken, ({ actor, params }) => deleteToken(deps, actor, params.id!))
}

/** Every node forgets the key with the commit, so the next call with it is refused. */
async function deleteToken({ db, now }: Pick<Deps, 'db' | 'now'>, actor: Actor, id: number): Promise<void> {
  await db.transaction().execute(async (transaction) => {
    const tokenHash = await tokens.remove(transaction, actor.id, id, now())
    if (tokenHash === undefined) throw new Refusal('token_not_found')
    await publish(transaction, { kind: 'caller', tokenHash })
  })
}
