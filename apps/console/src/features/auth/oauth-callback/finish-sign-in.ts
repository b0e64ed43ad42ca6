import * as api from '@tidegate/contract/api'
import { call } from '../../../api/client.ts'
import { currentRoundTrip } from '../../../components/auth/round-trip.ts'

/** Services that lead back to a page of the console. */
export type CallbackService = api.RedirectService | 'telegram'

/** Nobody, when an account was bound to the one that is logged in already. */
export type Finished = api.User | null

/** Ends a sign-in or a binding with everything in the query that the service sent back. */
export async function finishSignIn(service: CallbackService, search: string): Promise<Finished> {
  const query = Object.fromEntries(new URLSearchParams(search))
  if (service === 'telegram') return finishTelegram(query)
  const { message, data } = await call(FINISH[service], { query })
  return message === 'bind' ? null : (data ?? null)
}

const FINISH = { github: api.finishGitHub, oidc: api.finishOidc, linuxdo: api.finishLinuxDo }

/** What Telegram signs says nothing of what it was for: this tab remembers. */
async function finishTelegram(query: Record<string, string>): Promise<Finished> {
  if (currentRoundTrip()?.intent !== 'bind') return call(api.loginWithTelegram, { query })
  await call(api.bindTelegram, { query })
  return null
}
