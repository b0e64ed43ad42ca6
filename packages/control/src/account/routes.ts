import { api, ApiError } from '@tidegate/contract'
import { checkIn, transferInviteEarnings } from '@tidegate/ledger'
import { sessions, users } from '@tidegate/storage'
import { newInviteCode } from '../auth/registration/register.ts'
import { clearSessionCookie, startSession } from '../auth/sessions/sessions.ts'
import { checkTurnstile } from '../auth/turnstile.ts'
import type { Deps } from '../deps.ts'
import type { Actor } from '../http/actor.ts'
import { requestLanguage } from '../http/read-request.ts'
import type { EndpointRequest, Serve } from '../serve.ts'
import { deleteAccount, updateAccount } from './account.ts'
import { updateSettings } from './update-settings.ts'

export function registerAccount(serve: Serve, deps: Deps): void {
  const { db, catalog, now } = deps
  serve(api.updateSelf, async ({ actor, body, origin, request, reply }) => {
    // The old password does not replace a second factor: the new session inherits the re-authentication times of the
    // old one.
    const reauth =
      actor.sessionHash === undefined ? undefined : await sessions.findReauthentication(db, actor.sessionHash)
    const newPasswordOf = await updateAccount(deps, actor, body, origin, requestLanguage(deps, request))
    if (!newPasswordOf) return
    const owner = {
      id: actor.id,
      passwordHash: newPasswordOf.password_hash,
      reauthenticatedAt: reauth?.proved_at,
      factorAt: reauth?.factor_at,
    }
    if (actor.sessionHash) await startSession(deps, owner, origin, reply)
  })
  serve(api.deleteSelf, async ({ actor, query, origin, reply }) => {
    await deleteAccount(deps, actor, query, origin)
    clearSessionCookie(reply)
  })
  serve(api.updateSetting, ({ actor, body, origin, request }) =>
    updateSettings(deps, actor, body, origin, requestLanguage(deps, request)),
  )

  serve(api.getInviteCode, ({ actor }) => users.ensureInviteCode(db, actor.id, newInviteCode()))
  serve(api.transferEarnings, ({ actor, body, origin }) =>
    transferInviteEarnings(db, {
      userId: actor.id,
      quota: body.quota,
      settings: catalog().settings,
      now: now(),
      requestId: origin.requestId,
    }),
  )
  serve(api.getCheckInStatus, ({ actor }) => checkInStatus(deps, actor))
  serve(api.getCheckInMonth, async ({ actor }) => {
    const { can_check_in } = await checkInStatus(deps, actor)
    const enabled = catalog().settings.CheckInEnabled
    return { enabled, stats: { checked_in_today: enabled && !can_check_in } }
  })
  const takeReward = async (call: EndpointRequest<typeof api.checkIn | typeof api.checkInCompatible>) => {
    const { settings } = catalog()
    if (!settings.CheckInEnabled) throw new ApiError('checkin_off') // checked before the user solves a Turnstile challenge
    await checkTurnstile(deps, call, ['check_in'])
    return checkIn(db, { userId: call.actor.id, now: now(), settings })
  }
  serve(api.checkIn, async (call) => ({ quota: await takeReward(call) }))
  serve(api.checkInCompatible, async (call) => ({ quota_awarded: await takeReward(call) }))
}

const DAY_MS = 24 * 60 * 60 * 1000

/** Days are UTC days, as in the ledger. */
async function checkInStatus(
  { db, catalog, now }: Pick<Deps, 'db' | 'catalog' | 'now'>,
  actor: Actor,
): Promise<{ can_check_in: boolean; next_check_in_at: string | null }> {
  if (!catalog().settings.CheckInEnabled) return { can_check_in: false, next_check_in_at: null }
  const user = await users.findById(db, actor.id)
  const today = dayOf(now())
  const last = user?.last_check_in_at
  const tomorrow = new Date((today + 1) * DAY_MS).toISOString()
  return { can_check_in: !last || dayOf(last) !== today, next_check_in_at: tomorrow }
}

function dayOf(time: Date): number {
  return Math.floor(time.getTime() / DAY_MS)
}
