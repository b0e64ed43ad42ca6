import type { Usage } from '@tidegate/pricing'
import { providerOf } from '@tidegate/providers'
import { tryRoutes, type DispatchDeps } from '../dispatch/run-attempts.ts'
import type { Call } from '../http/api-request.ts'
import type { Route, Routes } from '../route/route.ts'
import { askVendor, type OperationAnswer } from '../operations/send-operation.ts'
import type { OperationRequest } from '../operations/read-operation.ts'
import { usedBy } from '../operations/operation-usage.ts'

/** Vendors that have nothing but embeddings. */
const EMBEDDINGS_ONLY = new Set([44])

/** Whether a model is tried out by having it embed something: it could not answer a chat. */
export function embeds(model: string, channelType: number | undefined): boolean {
  return /embed|^m3e|bge-/i.test(model) || (channelType !== undefined && EMBEDDINGS_ONLY.has(channelType))
}

/** Has one channel embed two words. */
export async function probeEmbeddings(
  deps: DispatchDeps,
  call: Call,
  { model, routes }: { model: string; routes: Routes },
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
  const { route, answer, trial } = await tryRoutes<OperationAnswer>(deps, call, {
    model,
    routes,
    attempts: 1,
    wayTo(way) {
      const operation = providerOf(way.channel.type).operations?.embeddings
      const ask = (key: string) => askVendor(deps, call, { request, route: way, operation: operation!, key })
      return operation && { dialect: 'embeddings', ask, isStream: () => false }
    },
  })
  trial.end()
  return { route, usage: await usedBy(request, route, answer.kind === 'whole' ? answer.tree : undefined) }
}
