import { api, ApiError } from '@tidegate/contract'
import type { FastifyRequest } from 'fastify'
import type { Deps } from '../../deps.ts'
import { checkUserIdHeader } from '../authenticate.ts'
import { requestLanguage } from '../../http/request-language.ts'
import type { ApiCall, Serve } from '../../serve.ts'
import { checkHuman } from '../turnstile.ts'
import type { MailQueue } from '../../messaging/mail/mail-queue.ts'
import { bindEmail } from './bind-email.ts'
import { register } from './register.ts'
import { resetPassword, sendResetLink } from '../password/reset-password.ts'
import { sendVerification } from './send-verification.ts'

/** How people come to an account by themselves, and back to one whose password they lost. */
export function registerRegistration(serve: Serve, deps: Deps & { mails: MailQueue }): void {
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

/** A GET that sends a mail could otherwise be an image on a page of somebody else. */
function refuseCrossSite(request: FastifyRequest): void {
  if (request.headers['sec-fetch-site'] === 'cross-site') throw new ApiError('cross_site_refused')
}
