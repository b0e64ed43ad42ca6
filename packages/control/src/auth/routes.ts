import { api, ApiError } from '@tidegate/contract'
import { automationTokens, users } from '@tidegate/storage'
import type { Deps } from '../deps.ts'
import { restoreCriticalLimit } from '../http/rate-limits.ts'
import { requestLanguage } from '../http/read-request.ts'
import { rejectCrossSite } from '../http/request-checks.ts'
import type { DirectMails } from '../messaging/mail/direct-mails.ts'
import type { EndpointRequest, Serve } from '../serve.ts'
import { ownView } from '../users/user-view.ts'
import { readAccessToken, renewAccessToken, revokeAccessToken } from './access-tokens.ts'
import { checkUserIdHeader } from './authenticate.ts'
import { automationTokenView, createAutomationToken, revokeAutomationToken, scopesFor } from './automation-tokens.ts'
import { checkCredentials, completeLogin } from './login/login.ts'
import { completeSecondFactor } from './login/second-factor.ts'
import { finishOAuth, loginWithProfile } from './oauth/finish-oauth.ts'
import { linkAccount, unlinkAccount } from './oauth/link-account.ts'
import { requireProviderEnabled, type OAuthProviders } from './oauth/provider.ts'
import { github } from './oauth/github.ts'
import { linuxDo } from './oauth/linuxdo.ts'
import { oidc } from './oauth/oidc.ts'
import { startOAuth, startOAuthWithState } from './oauth/start-oauth.ts'
import { readTelegramProfile } from './oauth/telegram.ts'
import { readWeChatProfile } from './oauth/wechat.ts'
import { startPasskeyLogin, loginWithPasskey } from './passkeys/passkey-login.ts'
import { addPasskey, startPasskeyRegistration, removePasskey, renamePasskey } from './passkeys/passkeys.ts'
import { resetPassword, sendResetLink } from './password/reset-password.ts'
import { startPasskeyReauth, reauthenticate } from './reauthenticate.ts'
import { bindEmail, sendVerification } from './registration/verification.ts'
import { register } from './registration/register.ts'
import { setupStatus, submitSetup } from './registration/setup.ts'
import { readSecurityOverview } from './security-overview.ts'
import { endAllOwnSessions, endOwnSession, listOwnSessions } from './sessions/own-sessions.ts'
import { clearSessionCookie, endSession } from './sessions/sessions.ts'
import { checkTurnstile } from './turnstile.ts'
import { beginTotp, disableTotp, enableTotp, renewRecoveryCodes } from './two-factor/totp.ts'

/** All endpoints of this area: setup, login, registration, factors, sessions and tokens. */
export function registerAuth(serve: Serve, deps: Deps & { mails: DirectMails }): void {
  registerLogin(serve, deps)
  registerRegistration(serve, deps)
  registerFactors(serve, deps)
  registerOAuth(serve, deps)
  registerSessions(serve, deps)
  registerAutomation(serve, deps)
}

function registerLogin(serve: Serve, deps: Deps): void {
  const { db } = deps
  serve(api.getSetup, ({ origin }) => setupStatus(deps, origin))
  serve(api.submitSetup, ({ body, origin }) => submitSetup(deps, body, origin))

  serve(api.login, async (call) => {
    const { body, origin, reply } = call
    await checkTurnstile(deps, call, ['login'])
    const user = await checkCredentials(deps, body, origin)
    return completeLogin(deps, user, { origin, reply, method: 'password' })
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

/** Registration, email verification and password reset. */
function registerRegistration(serve: Serve, deps: Deps & { mails: DirectMails }): void {
  serve(api.register, async (call) => {
    await checkTurnstile(deps, call, ['register'])
    await register(deps, call.body, call.origin)
  })

  type VerificationCall = Omit<EndpointRequest<typeof api.postVerification>, 'body'>
  const verification = async (call: VerificationCall, email: string) => {
    const { actor, request, origin } = call
    rejectCrossSite(request)
    if (actor) checkUserIdHeader(request, actor.id)
    await checkTurnstile(deps, call, ['register', 'bind'])
    await sendVerification(deps, email, actor, origin, requestLanguage(deps, request))
  }
  serve(api.requestVerification, (call) => verification(call, call.query.email))
  serve(api.postVerification, (call) => verification(call, call.body.email))

  serve(api.bindEmail, ({ actor, query, origin, request }) =>
    bindEmail(deps, actor, query, origin, requestLanguage(deps, request)),
  )

  type ResetCall = Omit<EndpointRequest<typeof api.postPasswordReset>, 'body'>
  const resetMail = async (call: ResetCall, email: string) => {
    rejectCrossSite(call.request)
    await checkTurnstile(deps, call, ['reset'])
    await sendResetLink(deps, email, call.origin, requestLanguage(deps, call.request))
  }
  serve(api.requestPasswordReset, (call) => resetMail(call, call.query.email))
  serve(api.postPasswordReset, (call) => resetMail(call, call.body.email))
  serve(api.resetPassword, ({ body, origin, request }) =>
    resetPassword(deps, body, origin, requestLanguage(deps, request)),
  )
}

/** Second factors, passkeys and re-authentication. */
function registerFactors(serve: Serve, deps: Deps): void {
  serve(api.getSecurity, ({ actor }) => readSecurityOverview(deps, actor))
  serve(api.askForProof, ({ actor }) => startPasskeyReauth(deps, actor))
  serve(api.proveOwner, ({ actor, body, origin }) => reauthenticate(deps, actor, body, origin))

  serve(api.beginTotp, ({ actor }) => beginTotp(deps, actor))
  serve(api.enableTotp, ({ actor, body, origin }) => enableTotp(deps, actor, body.code, origin))
  serve(api.disableTotp, ({ actor, origin, request }) =>
    disableTotp(deps, actor, origin, requestLanguage(deps, request)),
  )
  serve(api.renewRecoveryCodes, ({ actor, origin }) => renewRecoveryCodes(deps, actor, origin))

  serve(api.askForNewPasskey, ({ actor }) => startPasskeyRegistration(deps, actor))
  serve(api.addPasskey, ({ actor, body, origin, request }) =>
    addPasskey(deps, actor, body, origin, requestLanguage(deps, request)),
  )
  serve(api.renamePasskey, ({ actor, params, body }) => renamePasskey(deps, actor, params.id!, body))
  serve(api.removePasskey, ({ actor, params, origin }) => removePasskey(deps, actor, params.id!, origin))

  serve(api.askForPasskey, ({ body, origin }) => startPasskeyLogin(deps, body.login_ticket, origin))
  serve(api.loginWithPasskey, ({ body, origin, reply }) => loginWithPasskey(deps, body, { origin, reply }))
  serve(api.finishLogin, ({ body, origin, request, reply }) =>
    completeSecondFactor(deps, body, { origin, reply }, requestLanguage(deps, request)),
  )
}

/** Login and account linking by OAuth providers. */
function registerOAuth(serve: Serve, deps: Deps): void {
  const providers: OAuthProviders = { github: github(deps), oidc: oidc(deps), linuxdo: linuxDo(deps) }
  serve(api.startSignIn, (call) => startOAuth(deps, providers, call.body, call))
  serve(api.getSignInState, (call) => startOAuthWithState(deps, call.query, call))
  serve(api.finishGitHub, (call) => finishOAuth(deps, providers, 'github', call))
  serve(api.finishOidc, (call) => finishOAuth(deps, providers, 'oidc', call))
  serve(api.finishLinuxDo, (call) => finishOAuth(deps, providers, 'linuxdo', call))

  serve(api.loginWithWeChat, async ({ query, origin, reply }) => {
    await requireProviderEnabled(deps, 'wechat')
    const profile = await readWeChatProfile(deps, query.code)
    await restoreCriticalLimit(deps, [api.loginWithWeChat], origin)
    return loginWithProfile(deps, profile, { aff: '', mayRegister: true, origin, reply })
  })
  serve(api.bindWeChat, async ({ actor, query, origin }) => {
    await requireProviderEnabled(deps, 'wechat')
    await linkAccount(deps, actor, await readWeChatProfile(deps, query.code), origin)
  })
  serve(api.loginWithTelegram, async ({ query, origin, reply }) => {
    await requireProviderEnabled(deps, 'telegram')
    const profile = await readTelegramProfile(deps, query)
    await restoreCriticalLimit(deps, [api.loginWithTelegram], origin)
    return loginWithProfile(deps, profile, { aff: '', mayRegister: false, origin, reply })
  })
  serve(api.bindTelegram, async ({ actor, query, origin }) => {
    await requireProviderEnabled(deps, 'telegram')
    await linkAccount(deps, actor, await readTelegramProfile(deps, query), origin)
  })

  serve(api.unbindService, ({ actor, body, origin }) => unlinkAccount(deps, actor, body.service, origin))
}

function registerAutomation(serve: Serve, deps: Deps): void {
  serve(api.listAutomationTokens, async ({ actor }) => {
    const rows = await automationTokens.listOf(deps.db, actor.id)
    return { items: rows.map((row) => automationTokenView(row, deps.now())), scopes: [...scopesFor(actor.role)] }
  })
  serve(api.createAutomationToken, ({ actor, body, origin }) => createAutomationToken(deps, actor, body, origin))
  serve(api.revokeAutomationToken, ({ actor, params, origin }) =>
    revokeAutomationToken(deps, actor, params.id!, origin),
  )
}

/** Own sessions and the system access token. */
function registerSessions(serve: Serve, deps: Deps): void {
  serve(api.renewAccessToken, ({ actor, origin }) => renewAccessToken(deps, actor, origin))
  serve(api.createAccessToken, ({ actor, origin }) => renewAccessToken(deps, actor, origin))
  serve(api.getAccessToken, ({ actor }) => readAccessToken(deps, actor))
  serve(api.revokeAccessToken, ({ actor, origin }) => revokeAccessToken(deps, actor, origin))

  serve(api.listSessions, ({ actor }) => listOwnSessions(deps, actor))
  serve(api.endSession, async ({ actor, names, origin, reply }) => {
    if (await endOwnSession(deps, actor, names.hash!, origin)) clearSessionCookie(reply)
  })
  serve(api.endAllSessions, async ({ actor, origin, reply }) => {
    await endAllOwnSessions(deps, actor, origin)
    clearSessionCookie(reply)
  })
}
