import type { TaskKind } from '@tidegate/providers'
import { UpstreamFailure } from '@tidegate/providers'
import type { Rendered } from './error-response.ts'

/** Numbers clients of drawing proxies know: a request that cannot be served, and a site that is too busy. */
const CODE = { refused: 4, busy: 30 }

/** A refusal as clients of each kind of task read it; without a body for those that read OpenAI's. */
export function taskRefusal(
  task: TaskKind,
  { status, error }: Pick<Rendered, 'status' | 'error'>,
  failure: unknown,
): { status: number; body?: object } {
  switch (task) {
    case 'drawing': {
      const code = vendorCode(failure) ?? (status === 429 || status === 503 ? CODE.busy : CODE.refused)
      return {
        status: code === CODE.busy ? 429 : failure instanceof UpstreamFailure ? 400 : status,
        body: { code, description: error.message, type: 'upstream_error', reason: error.code },
      }
    }
    case 'music':
      return { status, body: { code: error.code, message: error.message, data: null } }
    case 'video':
      return { status: error.code === 'task_not_exist' ? 404 : status }
  }
}

/** As the vendor gave it, which the words for the client no longer have. */
function vendorCode(failure: unknown): number | undefined {
  const original =
    failure instanceof UpstreamFailure && failure.cause instanceof UpstreamFailure ? failure.cause : failure
  const code = original instanceof UpstreamFailure ? Number(original.error.code) : NaN
  return Number.isInteger(code) ? code : undefined
}
