import { api, pageAnswer, ApiError, type PageRequest } from '@tidegate/contract'
import { redemptions, type RedemptionChoice } from '@tidegate/storage'
import type { Deps } from '../deps.ts'
import type { Serve } from '../serve.ts'
import { checkHuman } from '../auth/turnstile.ts'
import { createRedemptions } from './redemption-codes/manage-codes.ts'
import { redeem } from './redemption-codes/redeem.ts'
import { redemptionView } from './redemption-codes/code-view.ts'
import { disableRedemptions, removeRedemptions } from './redemption-codes/remove-redemptions.ts'
import { updateRedemption } from './redemption-codes/update-redemption.ts'

const { disabled, used } = api.REDEMPTION_STATUS

/** Redemption codes: what administrators make, and what users turn into balance. */
export function registerRedemptions(serve: Serve, deps: Deps): void {
  const { db, vault } = deps
  const list = async (choice: RedemptionChoice, page: PageRequest) => {
    const [rows, total] = await Promise.all([redemptions.page(db, choice, page), redemptions.count(db, choice)])
    return pageAnswer(
      rows.map((row) => redemptionView(vault, row)),
      total,
      page,
    )
  }
  serve(api.listRedemptions, ({ query }) => list({}, query))
  serve(api.searchRedemptions, ({ query: { filters, page } }) => {
    const keyHashes = filters.keyword === undefined ? [] : vault.keyedHashes('redemption-code', filters.keyword)
    return list({ ...filters, keyHashes }, page)
  })
  serve(api.getRedemption, async ({ params }) => {
    const row = await redemptions.find(db, params.id!)
    if (!row) throw new ApiError('redemption_not_found')
    return redemptionView(vault, row)
  })
  serve(api.createRedemptions, ({ actor, body, origin }) => createRedemptions(deps, actor, body, origin))
  serve(api.updateRedemption, ({ actor, body, query, origin }) =>
    updateRedemption(deps, actor, body, { statusOnly: query.status_only }, origin),
  )
  serve(api.disableRedemptions, ({ actor, body, origin }) => disableRedemptions(deps, actor, body.ids, origin))

  serve(api.deleteRedemption, async ({ actor, params, origin }) => {
    const count = await removeRedemptions(deps, actor, { ids: [params.id!] }, origin)
    if (count === 0) throw new ApiError('redemption_not_found')
  })
  serve(api.deleteDisabledRedemptions, ({ actor, origin }) =>
    removeRedemptions(deps, actor, { status: disabled }, origin),
  )
  serve(api.deleteUsedRedemptions, ({ actor, origin }) => removeRedemptions(deps, actor, { status: used }, origin))
  serve(api.countRedemptionsByName, ({ query }) => redemptions.count(db, { name: readName(query) }))
  serve(api.deleteRedemptionsByName, ({ actor, query, origin }) =>
    removeRedemptions(deps, actor, { name: readName(query) }, origin),
  )

  serve(api.redeem, async (call) => {
    await checkHuman(deps, call, ['redeem'], { remember: false })
    return redeem(deps, call.actor, call.body.key, call.origin)
  })
}

/** Without a name, "all of this name" would mean all. */
function readName({ name }: { name?: string | undefined }): string {
  if (name === undefined) throw new ApiError('redemption_name_invalid')
  return name
}
