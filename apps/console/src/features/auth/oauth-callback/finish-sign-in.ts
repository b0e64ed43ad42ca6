import * as api from '@tidegate/contract/api'
import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useNavigate } from 'react-router'
import { call } from '../../../api/client.ts'
import { useCompleteSignIn } from '../../../components/auth/api.ts'
import { clearPendingRedirect, readPendingRedirect, type PendingRedirect } from '../../../components/auth/redirect.ts'
import { returnPath } from '../../../lib/return-path.ts'
import { stored } from '../../../lib/stored.ts'
import { toast } from '../../../lib/toast.ts'

/** Services that redirect back to a page of the console. */
export type CallbackService = api.RedirectService | 'telegram'

/** The signed-in user. Null if an account was linked to the current user. */
type CallbackResult = api.User | null

type Progress = { phase: 'processing' } | { phase: 'done'; result: CallbackResult } | { phase: 'failed'; error: Error }

/** Requests of this page by service and query. */
const requests = new Map<string, Promise<CallbackResult>>()

/** Finishes a sign-in. A code is valid once, so a component that is mounted twice shares one request. */
export function useFinishSignIn(service: CallbackService, search: string): Progress {
  const [progress, setProgress] = useState<Progress>({ phase: 'processing' })
  useEffect(() => {
    let isMounted = true
    const update = (next: Progress) => isMounted && setProgress(next)
    sendOnce(service, search).then(
      (result) => update({ phase: 'done', result }),
      (error: Error) => update({ phase: 'failed', error }),
    )
    return () => {
      isMounted = false
    }
  }, [service, search])
  return progress
}

/** Allows another request after one that did not reach the server. */
export function forgetRequest(service: CallbackService, search: string): void {
  requests.delete(service + search)
}

function sendOnce(service: CallbackService, search: string): Promise<CallbackResult> {
  const key = service + search
  const request = requests.get(key) ?? finishSignIn(service, search)
  requests.set(key, request)
  return request
}

/** Sends the server all query parameters that the service added. */
async function finishSignIn(service: CallbackService, search: string): Promise<CallbackResult> {
  const query = Object.fromEntries(new URLSearchParams(search))
  if (service === 'telegram') return finishTelegram(query)
  const { message, data } = await call(FINISH[service], { query })
  return message === 'bind' ? null : (data ?? null)
}

const FINISH = { github: api.finishGitHub, oidc: api.finishOidc, linuxdo: api.finishLinuxDo }

/** Telegram's parameters do not contain the intent, so it comes from this tab. */
async function finishTelegram(query: Record<string, string>): Promise<CallbackResult> {
  if (readPendingRedirect()?.intent !== 'bind') return call(api.loginWithTelegram, { query })
  await call(api.bindTelegram, { query })
  return null
}

/** Opens the page the user came from, or the security settings after an account was linked. */
export function useLeaveCallback(redirect: PendingRedirect | null): (result: CallbackResult) => void {
  const { t } = useTranslation('entry')
  const completeSignIn = useCompleteSignIn()
  const navigate = useNavigate()
  return (user) => {
    clearPendingRedirect()
    if (user) {
      // Invite codes are for new accounts only.
      stored.inviteCode.clear()
      completeSignIn(user, redirect?.returnTo ?? returnPath(null))
      return
    }
    toast.success(t('callback.bound'))
    void navigate('/app/me?tab=security', { replace: true })
  }
}
