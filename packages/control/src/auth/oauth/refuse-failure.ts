import { ApiError, type api } from '@tidegate/contract'
import type { Deps } from '../../deps.ts'
import { ServiceFailure } from './provider-client.ts'
import { nameOf } from './services.ts'

/** Runs calls to a service: why one failed goes to the log, and only that it failed to the caller. */
export async function refuseFailure<Result>(
  { log }: Pick<Deps, 'log'>,
  service: api.SignInServiceName,
  work: () => Promise<Result>,
): Promise<Result> {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof ServiceFailure)) throw error
    log.error({ service, reason: messagesOf(error) }, 'a sign-in service failed')
    const code = error.kind === 'unreachable' ? 'oauth_unreachable' : 'oauth_bad_answer'
    throw new ApiError(code, nameOf(service), { cause: error })
  }
}

/** Messages only: the objects that libraries hang on their errors hold whole answers, tokens too. */
function messagesOf(error: unknown): string[] {
  const messages: string[] = []
  for (let next = error; next instanceof Error && messages.length < 5; next = next.cause) messages.push(next.message)
  return messages
}
