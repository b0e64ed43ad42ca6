import type { Usage } from '@tidegate/pricing'
import { providerOf } from '@tidegate/providers'
import { runAttempts, type AttemptDeps } from '../dispatch/run-attempts.ts'
import type { ApiRequest } from '../http/api-request.ts'
import type { Route, RoutePlan } from '../route/route.ts'
import { sendOperation, type OperationResponse } from '../operations/send-operation.ts'
import type { OperationRequest } from '../operations/read-operation.ts'
import { operationUsage } from '../operations/operation-usage.ts'

/** Providers that have only embeddings. */
const EMBEDDINGS_ONLY = new Set([44])

/** Whether a model is tested with an embedding, because it cannot serve a chat. */
export function embeds(model: string, channelType: number | undefined): boolean {
  return /embed|^m3e|bge-/i.test(model) || (channelType !== undefined && EMBEDDINGS_ONLY.has(channelType))
}

/** Tests one channel with an embedding of two words. */
export async function probeEmbeddings(
  deps: AttemptDeps,
  incoming: ApiRequest,
  { model, plan }: { model: string; plan: RoutePlan },
): Promise<{ route: Route; usage: Usage }> {
  const tree = { model, input: 'hello world' }
  const request: OperationRequest = {
    operation: 'embeddings',
    model,
    dialect: 'openai-chat',
    stream: false,
    body: { kind: 'json', text: JSON.stringify(tree), tree },
    texts: [tree.input],
    otherTokens: 0,
    work: { kind: 'tokens' },
  }
  const {
    route,
    response: answer,
    lease,
  } = await runAttempts<OperationResponse>(deps, incoming, {
    model,
    plan,
    attempts: 1,
    senderFor(way) {
      const operation = providerOf(way.channel.type).operations?.embeddings
      const ask = (key: string) => sendOperation(deps, incoming, { request, route: way, operation: operation!, key })
      return operation && { dialect: 'embeddings', send: ask, isStream: () => false }
    },
  })
  lease.end()
  return { route, usage: await operationUsage(request, route, answer.kind === 'whole' ? answer.tree : undefined) }
}
