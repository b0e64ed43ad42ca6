import type { PromptParts, DialectId } from '@tidegate/dialects'
import { computeReceipt, type ModelPrice, type Usage } from '@tidegate/pricing'
import { creditNeeded, type PricedModel } from '../admit/reserve-credit.ts'
import type { Call } from '../ingress/call.ts'
import { conversationOf } from '../ingress/conversation.ts'
import type { Endpoint } from '../ingress/endpoints.ts'
import { readJson } from '../ingress/read-json.ts'
import { readOperation } from '../operations/read-operation.ts'
import { expectedOf } from '../operations/used-by.ts'
import type { Catalog } from '../ports.ts'
import type { RouteQuestion } from '../route/route.ts'

export type JudgedEndpoint = Extract<Endpoint, { kind: 'conversation' | 'operation' }>

/** The worst case of a request, and the least that it is served for. */
interface Needed {
  readonly amount: number
  readonly minimum: number
}

/** A call as far as it has to be understood to decide about it. */
export interface Asked {
  readonly model: string
  readonly stream: boolean
  readonly prompt: PromptParts
  readonly question: Pick<RouteQuestion, 'operation' | 'image' | 'conversation'> & { readonly dialect: DialectId }
  reserve(candidates: readonly PricedModel[], promptTokens: number, settings: Catalog['settings']): Needed
  /** Where something else is sold than tokens. */
  soldUsage(promptTokens: number, price: ModelPrice): Usage | undefined
}

export function readAsked(call: Call, endpoint: JudgedEndpoint): Promise<Asked> {
  return endpoint.kind === 'conversation' ? conversation(call, endpoint) : operation(call, endpoint)
}

async function conversation(
  { request: incoming, dialect }: Call,
  { path }: Extract<Endpoint, { kind: 'conversation' }>,
): Promise<Asked> {
  const { text, tree } = await readJson(incoming)
  const request = dialect.readRequest(text, path, tree)
  const { model, stream } = request
  return {
    model,
    stream,
    prompt: dialect.promptParts(request),
    question: { dialect: request.dialect, conversation: conversationOf(incoming.headers, request) },
    reserve: (candidates, promptTokens, settings) => creditNeeded({ request, promptTokens, candidates, settings }),
    soldUsage: () => undefined,
  }
}

async function operation(call: Call, endpoint: Extract<Endpoint, { kind: 'operation' }>): Promise<Asked> {
  const request = await readOperation(call, endpoint)
  const { model, stream, texts, otherTokens, dialect, work } = request
  return {
    model,
    stream,
    prompt: { texts, otherTokens },
    question: { dialect, operation: request.operation, ...(work.kind === 'images' && { image: work }) },
    reserve(candidates, promptTokens) {
      const amount = Math.max(
        ...candidates.map(({ price }) => computeReceipt(price, expectedOf(request, promptTokens, price)).quota),
      )
      return { amount, minimum: amount }
    },
    soldUsage: (promptTokens, price) => (work.kind === 'tokens' ? undefined : expectedOf(request, promptTokens, price)),
  }
}
