import { api, ApiError } from '@tidegate/contract'
import { ping, users } from '@tidegate/storage'
import type { Deps } from '../../deps.ts'
import { checkUserIdHeader } from '../authenticate.ts'
import type { Serve } from '../../serve.ts'
import { checkHuman } from '../turnstile.ts'
import { checkLogin } from './login.ts'
import { finishSignIn } from './finish-sign-in.ts'
import { clearSessionCookie, endSession } from '../sessions/sessions.ts'
import { setupStatus, submitSetup } from '../registration/setup.ts'
import { siteStatus } from '../../settings/site-status.ts'
import { answerUnchanged } from '../../http/answer-unchanged.ts'
import { ownView } from '../../users/user-view.ts'

export function registerAccess(serve: Serve, deps: Deps): void {
  const { db } = deps
  serve(api.getStatus, async ({ request, reply }) => {
    const status = await siteStatus(deps)
    answerUnchanged(request, reply, status)
    return status
  })
  serve(api.testStatus, () =>
    ping(db).catch((cause) => Promise.reject(new ApiError('service_unavailable', {}, { cause }))),
  )
  serve(api.getSetup, ({ origin }) => setupStatus(deps, origin))
  serve(api.submitSetup, ({ body, origin }) => submitSetup(deps, body, origin))

  serve(api.login, async (call) => {
    const { body, origin, reply } = call
    await checkHuman(deps, call, ['login'])
    const user = await checkLogin(deps, body, origin)
    return finishSignIn(deps, user, { origin, reply, method: 'password' })
  })
  serve(api.logout, async ({ actor, request, reply }) => {
    if (actor) checkUserIdHeader(request, actor.id)
    if (actor?.sessionHash) await endSession(db, actor.sessionHash)
    clearSessionCookie(reply)
  })
  serve(api.getSelf, async ({ actor }) => {
    const user = await users.findById(db, actor.id)
    if (!user) throw new ApiError('user_not_found')
    return ownView(deps, user)
  })
}
