import { newSession, type FakeStripeSession, type StripeState } from './stripe-objects.ts'
import { sessionProblem } from './stripe-rules.ts'

interface StripeCall {
  method: string
  url: URL
  form: URLSearchParams
  idempotencyKey: string
}

/** Answers the API calls that Checkout needs, with the status codes and errors that Stripe documents. */
export function answerStripeCall(
  state: StripeState,
  call: StripeCall,
  address: string,
): [status: number, body: object] {
  const { method, url } = call
  const { pathname, searchParams } = url
  if (method === 'POST' && pathname === '/v1/checkout/sessions') return createSession(state, call, address)
  if (method !== 'GET') return failure(404, 'resource_missing', 'Unrecognized request')
  const payment = searchParams.get('payment_intent')
  if (pathname === '/v1/checkout/sessions')
    return [200, list([...state.sessions.values()].filter((one) => one.payment_intent === payment))]
  if (pathname === '/v1/disputes')
    return [200, list([...state.disputes.values()].filter((one) => one.payment_intent === payment))]
  const session = state.sessions.get(pathname.split('/').at(-1) ?? '')
  if (!session || !pathname.startsWith('/v1/checkout/sessions/'))
    return failure(404, 'resource_missing', 'No such session')
  return [
    200,
    expanded(
      state,
      session,
      [...searchParams].filter(([name]) => name.startsWith('expand')).map(([, path]) => path),
    ),
  ]
}

function createSession(state: StripeState, { form, idempotencyKey }: StripeCall, address: string): [number, object] {
  const known = state.idempotent.get(idempotencyKey)
  if (idempotencyKey && known) {
    if (known.form !== form.toString())
      return failure(
        400,
        'idempotency_key_in_use',
        'Keys can only be used with the same parameters',
        'idempotency_error',
      )
    return [200, state.sessions.get(known.session)!]
  }
  const problem = sessionProblem(form, state.clock())
  if (problem) return failure(400, problem.code, problem.message)
  const session = newSession(state, form, address)
  if (idempotencyKey) state.idempotent.set(idempotencyKey, { form: form.toString(), session: session.id })
  return [200, session]
}

function expanded(state: StripeState, session: FakeStripeSession, paths: readonly string[]): object {
  const charge = session.payment_intent ? state.charges.get(session.payment_intent) : undefined
  if (!charge || !paths.includes('payment_intent.latest_charge')) return session
  return {
    ...session,
    payment_intent: { id: session.payment_intent, object: 'payment_intent', latest_charge: charge },
  }
}

const list = (data: readonly object[]) => ({ object: 'list', data, has_more: false, url: '/v1' })

const failure = (status: number, code: string, message: string, type = 'invalid_request_error'): [number, object] => [
  status,
  { error: { type, code, message } },
]
