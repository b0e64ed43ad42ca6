import { api } from '@tidegate/contract'
import type { Deps } from '../../deps.ts'
import { restoreCriticalBudget } from '../../http/rate-limits.ts'
import type { Serve } from '../../serve.ts'
import { bindService } from './bind-service.ts'
import { finishRoundTrip } from './finish-oauth.ts'
import { createRedirectServices } from './redirect-services.ts'
import { requireOpen } from './services.ts'
import { signInWith } from './sign-in-with.ts'
import { startSignIn, startWithStateOnly } from './start-oauth.ts'
import { readTelegramProfile } from './telegram.ts'
import { unbindService } from './unbind-service.ts'
import { readWeChatProfile } from './wechat.ts'

/** Sign-in and binding through other services. */
export function registerSignIn(serve: Serve, deps: Deps): void {
  const services = createRedirectServices(deps)
  serve(api.startSignIn, (call) => startSignIn(deps, services, call.body, call))
  serve(api.getSignInState, (call) => startWithStateOnly(deps, call.query, call))
  serve(api.finishGitHub, (call) => finishRoundTrip(deps, services, 'github', call))
  serve(api.finishOidc, (call) => finishRoundTrip(deps, services, 'oidc', call))
  serve(api.finishLinuxDo, (call) => finishRoundTrip(deps, services, 'linuxdo', call))

  serve(api.loginWithWeChat, async ({ query, origin, reply }) => {
    await requireOpen(deps, 'wechat')
    const profile = await readWeChatProfile(deps, query.code)
    await restoreCriticalBudget(deps, [api.loginWithWeChat], origin)
    return signInWith(deps, profile, { aff: '', mayRegister: true, origin, reply })
  })
  serve(api.bindWeChat, async ({ actor, query, origin }) => {
    await requireOpen(deps, 'wechat')
    await bindService(deps, actor, await readWeChatProfile(deps, query.code), origin)
  })
  serve(api.loginWithTelegram, async ({ query, origin, reply }) => {
    await requireOpen(deps, 'telegram')
    const profile = await readTelegramProfile(deps, query)
    await restoreCriticalBudget(deps, [api.loginWithTelegram], origin)
    return signInWith(deps, profile, { aff: '', mayRegister: false, origin, reply })
  })
  serve(api.bindTelegram, async ({ actor, query, origin }) => {
    await requireOpen(deps, 'telegram')
    await bindService(deps, actor, await readTelegramProfile(deps, query), origin)
  })

  serve(api.unbindService, ({ actor, body, origin }) => unbindService(deps, actor, body.service, origin))
}
