import { modelTraits } from '@tidegate/contract'
import type { Usage } from '@tidegate/pricing'
import { providerOf } from '@tidegate/providers'
import { runAttempts, type AttemptDeps } from '../dispatch/run-attempts.ts'
import type { ApiRequest } from '../http/api-request.ts'
import type { Route, RoutePlan } from '../route/route.ts'
import { sendOperation, type OperationResponse } from '../operations/send-operation.ts'
import type { OperationRequest } from '../operations/operation-request.ts'
import { operationUsage } from '../operations/operation-usage.ts'

/** Providers that have only embeddings. */
const EMBEDDINGS_ONLY = new Set([44])

/** Whether a model is tested with an embedding, because it cannot serve a chat. */
export function embeds(model: string, channelType: number | undefined): boolean {
  return modelTraits(model.toLowerCase()).embeds || (channelType !== undefined && EMBEDDINGS_ONLY.has(channelType))
}

/** Tests one channel with an embedding of two words. */
export async function probeEmbeddings(
  deps: AttemptDeps,
  incoming: ApiRequest,
  { model, plan }: { model: string; plan: RoutePlan },
): Promise<{ route: Route; usage: Usage }> {
  const json = { model, input: 'hello world' }
  const request: OperationRequest = {
    operation: 'embeddings',
    model,
    dialect: 'openai-chat',
    stream: false,
    body: { kind: 'json', text: JSON.stringify(json), json },
    texts: [json.input],
    otherTokens: 0,
    work: { kind: 'tokens' },
  }
  const { route, response, lease } = await runAttempts<OperationResponse>(deps, incoming, {
    model,
    plan,
    attempts: 1,
    senderFor(candidate) {
      const operation = providerOf(candidate.channel.type).operations?.embeddings
      const send = (key: string) =>
        sendOperation(deps, incoming, { request, route: candidate, operation: operation!, key })
      return operation && { dialect: 'embeddings', send, isStream: () => false }
    },
  })
  lease.end()
  return { route, usage: await operationUsage(request, route, response.kind === 'whole' ? response.json : undefined) }
}
