import { api, ApiError } from '@tidegate/contract'
import { automationTokens, users } from '@tidegate/storage'
import type { Deps } from '../deps.ts'
import { restoreCriticalBudget } from '../http/rate-limits.ts'
import { requestLanguage } from '../http/read-request.ts'
import { refuseCrossSite } from '../http/request-checks.ts'
import type { MailQueue } from '../messaging/mail/mail-queue.ts'
import type { ApiCall, Serve } from '../serve.ts'
import { ownView } from '../users/user-view.ts'
import { readAccessToken, renewAccessToken, revokeAccessToken } from './access-tokens.ts'
import { checkUserIdHeader } from './authenticate.ts'
import { automationTokenView, createAutomationToken, revokeAutomationToken, scopesFor } from './automation-tokens.ts'
import { checkLogin, finishSignIn } from './login/login.ts'
import { finishLogin } from './login/second-factor.ts'
import { finishRoundTrip, signInWith } from './oauth/finish-oauth.ts'
import { bindService, unbindService } from './oauth/link-account.ts'
import { requireOpen, type RedirectServices } from './oauth/provider.ts'
import { github } from './oauth/github.ts'
import { linuxDo } from './oauth/linuxdo.ts'
import { oidc } from './oauth/oidc.ts'
import { startSignIn, startWithStateOnly } from './oauth/start-oauth.ts'
import { readTelegramProfile } from './oauth/telegram.ts'
import { readWeChatProfile } from './oauth/wechat.ts'
import { askForLogin, loginWithPasskey } from './passkeys/passkey-login.ts'
import { addPasskey, askForNewPasskey, removePasskey, renamePasskey } from './passkeys/passkeys.ts'
import { resetPassword, sendResetLink } from './password/reset-password.ts'
import { askForProof, prove } from './reauthenticate.ts'
import { bindEmail, sendVerification } from './registration/verification.ts'
import { register } from './registration/register.ts'
import { setupStatus, submitSetup } from './registration/setup.ts'
import { readSecurity } from './security-overview.ts'
import { endAllOwnSessions, endOwnSession, listOwnSessions } from './sessions/own-sessions.ts'
import { clearSessionCookie, endSession } from './sessions/sessions.ts'
import { checkHuman } from './turnstile.ts'
import { beginTotp, disableTotp, enableTotp, renewRecoveryCodes } from './two-factor/totp.ts'

/** Every endpoint about who calls: setup, sign-in, registration, factors, sessions and tokens. */
export function registerAuth(serve: Serve, deps: Deps & { mails: MailQueue }): void {
  registerAccess(serve, deps)
  registerRegistration(serve, deps)
  registerSecurity(serve, deps)
  registerSignIn(serve, deps)
  registerSessions(serve, deps)
  registerAutomation(serve, deps)
}

function registerAccess(serve: Serve, deps: Deps): void {
  const { db } = deps
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

/** How people come to an account by themselves, and back to one whose password they lost. */
function registerRegistration(serve: Serve, deps: Deps & { mails: MailQueue }): void {
  serve(api.register, async (call) => {
    await checkHuman(deps, call, ['register'])
    await register(deps, call.body, call.origin)
  })

  type VerificationCall = Omit<ApiCall<typeof api.postVerification>, 'body'>
  const verification = async (call: VerificationCall, email: string) => {
    const { actor, request, origin } = call
    refuseCrossSite(request)
    if (actor) checkUserIdHeader(request, actor.id)
    await checkHuman(deps, call, ['register', 'bind'])
    await sendVerification(deps, email, actor, origin, requestLanguage(deps, request))
  }
  serve(api.requestVerification, (call) => verification(call, call.query.email))
  serve(api.postVerification, (call) => verification(call, call.body.email))

  serve(api.bindEmail, ({ actor, query, origin, request }) =>
    bindEmail(deps, actor, query, origin, requestLanguage(deps, request)),
  )

  type ResetCall = Omit<ApiCall<typeof api.postPasswordReset>, 'body'>
  const resetMail = async (call: ResetCall, email: string) => {
    refuseCrossSite(call.request)
    await checkHuman(deps, call, ['reset'])
    await sendResetLink(deps, email, call.origin, requestLanguage(deps, call.request))
  }
  serve(api.requestPasswordReset, (call) => resetMail(call, call.query.email))
  serve(api.postPasswordReset, (call) => resetMail(call, call.body.email))
  serve(api.resetPassword, ({ body, origin, request }) =>
    resetPassword(deps, body, origin, requestLanguage(deps, request)),
  )
}

/** Second factors, passkeys and proof of the owner. */
function registerSecurity(serve: Serve, deps: Deps & { mails: MailQueue }): void {
  serve(api.getSecurity, ({ actor }) => readSecurity(deps, actor))
  serve(api.askForProof, ({ actor }) => askForProof(deps, actor))
  serve(api.proveOwner, ({ actor, body, origin }) => prove(deps, actor, body, origin))

  serve(api.beginTotp, ({ actor }) => beginTotp(deps, actor))
  serve(api.enableTotp, ({ actor, body, origin }) => enableTotp(deps, actor, body.code, origin))
  serve(api.disableTotp, ({ actor, origin, request }) =>
    disableTotp(deps, actor, origin, requestLanguage(deps, request)),
  )
  serve(api.renewRecoveryCodes, ({ actor, origin }) => renewRecoveryCodes(deps, actor, origin))

  serve(api.askForNewPasskey, ({ actor }) => askForNewPasskey(deps, actor))
  serve(api.addPasskey, ({ actor, body, origin, request }) =>
    addPasskey(deps, actor, body, origin, requestLanguage(deps, request)),
  )
  serve(api.renamePasskey, ({ actor, params, body }) => renamePasskey(deps, actor, params.id!, body))
  serve(api.removePasskey, ({ actor, params, origin }) => removePasskey(deps, actor, params.id!, origin))

  serve(api.askForPasskey, ({ body, origin }) => askForLogin(deps, body.login_ticket, origin))
  serve(api.loginWithPasskey, ({ body, origin, reply }) => loginWithPasskey(deps, body, { origin, reply }))
  serve(api.finishLogin, ({ body, origin, request, reply }) =>
    finishLogin(deps, body, { origin, reply }, requestLanguage(deps, request)),
  )
}

/** Sign-in and binding through other services. */
function registerSignIn(serve: Serve, deps: Deps): void {
  const services: RedirectServices = { github: github(deps), oidc: oidc(deps), linuxdo: linuxDo(deps) }
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
  serve(api.endSession, async ({ actor, words, origin, reply }) => {
    if (await endOwnSession(deps, actor, words.hash!, origin)) clearSessionCookie(reply)
  })
  serve(api.endAllSessions, async ({ actor, origin, reply }) => {
    await endAllOwnSessions(deps, actor, origin)
    clearSessionCookie(reply)
  })
}
