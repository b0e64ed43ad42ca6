import { asText, asJsonObject, type JsonObject } from '@tidegate/dialects'
import { classifyOpenai } from '../../openai-compatible/classify.ts'
import { UpstreamFailure, type FailureClass } from '../../upstream/failure.ts'

/** Statuses of the names that this vendor gives its errors; those of its own side are not listed. */
const STATUSES: readonly [name: RegExp, status: number][] = [
  [/^InvalidApiKey/, 401],
  [/^Arrearage/, 402],
  [/^AccessDenied|\.AccessDenied$/, 403],
  [/^Throttling/, 429],
  [/^(InvalidParameter|InvalidURL|BadRequest|DataInspectionFailed|IPInfringementSuspect|ModelNotFound)/, 400],
]

/** An order that came to nothing: by its error, as the vendor would have answered had it known at once. */
export function failedTask(answer: JsonObject): UpstreamFailure {
  const output = asJsonObject(answer.output)
  const code = asText(output?.code) || asText(answer.code)
  const message = asText(output?.message) || asText(answer.message) || 'The upstream could not make the image.'
  const status = STATUSES.find(([name]) => name.test(code))?.[1] ?? 500
  return new UpstreamFailure({ kind: 'status', status, error: { message, type: 'upstream_error', code } })
}

/** The vendor may still work on it, so that asking somebody else would pay for it twice. */
export function overdueTask(): UpstreamFailure {
  return new UpstreamFailure({
    kind: 'status',
    status: 504,
    accepted: true,
    error: { message: 'The upstream did not finish the image in time.', type: 'upstream_error', code: 'task_timeout' },
  })
}

/** An account that owes money is told of with a 400, by a name or in words. */
export function classifyDashscope(failure: UpstreamFailure): FailureClass {
  const { kind, error } = failure
  const answered = kind === 'status' || kind === 'answer'
  const owes = error.code === 'Arrearage' || /account is in good standing|overdue payment/i.test(error.message)
  return answered && owes ? 'credit' : classifyOpenai(failure)
}
