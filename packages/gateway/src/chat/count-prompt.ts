import { ApiError } from '@tidegate/contract'
import { asJsonObject, DIALECTS, type JsonObject, parseJsonObject, type RequestHead } from '@tidegate/dialects'
import { checkStatus, chooseChatApi, providerOf, readJsonText, targetOf, upstreamRequest } from '@tidegate/providers'
import type { Entry, GatewayContext } from '../admit/admit.ts'
import { checkModel } from '../admit/access.ts'
import { checkBalance } from '../admit/credit.ts'
import { readConversationId } from '../health/session-affinity.ts'
import type { ApiRequest } from '../http/api-request.ts'
import type { Endpoint } from '../http/endpoints.ts'
import { readJson } from '../http/read-body.ts'
import type { Route } from '../route/route.ts'
import { countTokens } from '../tokens/count-tokens.ts'
import { clientHeaders } from './chat-body.ts'
import { resolveTurn } from './response-turn.ts'

type CountEndpoint = Extract<Endpoint, { kind: 'count-tokens' }>
type Audience = Pick<Entry<RequestHead>, 'catalog' | 'caller' | 'group'>

/** Clients wait for a count before they send the request. */
const DEADLINE_MS = 10_000

/**
 * Counts the tokens of a prompt, free of charge: by the provider, if the channel has the client's protocol and its
 * provider counts for free, else here. Whatever goes wrong at the provider, the client gets a count.
 */
export async function countPrompt(
  context: GatewayContext,
  incoming: ApiRequest,
  { protocol, path }: CountEndpoint,
  audience: Audience,
): Promise<object> {
  const { caller, catalog, group } = audience
  const checkCaller = () => checkBalance(context.ports, incoming, { caller, catalog, groups: [group] })
  const { text, json } = await readJson(incoming.request, { beforeLarge: checkCaller })
  // Google's clients send the prompt alone, or inside a whole request.
  const prompt = asJsonObject(json.generateContentRequest ?? json.generate_content_request) ?? json
  const head = await withStoredTurns(context, incoming, incoming.dialect.readRequest(text, path, prompt), audience)
  incoming.known.model = head.model
  const route = chooseRoute(context, incoming, head, audience)
  // A provider limits counts too, so those who cannot use the model do not use them up.
  const isAllowed = route && (await passes(() => checkModel(caller, head.model), checkCaller))
  const counted = isAllowed ? await askProvider(context, incoming, { head, route, audience }) : undefined
  const tokens = counted ?? (await countHere(incoming, head))
  switch (protocol) {
    case 'gemini-generate':
      return { totalTokens: tokens }
    case 'openai-responses':
      return { object: 'response.input_tokens', input_tokens: tokens }
    default:
      return { input_tokens: tokens }
  }
}

/** The prompt with our copy of the responses that it continues: every provider can count that. */
async function withStoredTurns(
  { ports, health }: GatewayContext,
  { requestId }: ApiRequest,
  head: RequestHead,
  { caller, catalog }: Audience,
): Promise<RequestHead> {
  if (!ports.responses || head.dialect !== 'openai-responses') return head
  const deps = { store: ports.responses, conversations: ports.conversations, affinity: health.affinity }
  const options = { caller, settings: catalog.settings, requestId, fromStore: true }
  return (await resolveTurn(deps, head, options)).request
}

/** The channel that a chat would use first. Undefined where none can serve one now: the prompt is counted here. */
function chooseRoute(
  { router }: GatewayContext,
  { request, requestId }: ApiRequest,
  head: RequestHead,
  { catalog, caller, group }: Audience,
): Route | undefined {
  const { model, dialect } = head
  // With a conversation, the choice does not advance the rotation of keys and virtual models.
  const conversation = readConversationId(request.headers, head) ?? requestId
  try {
    return router.plan(catalog, { caller, group, model, dialect, conversation, promptTokens: 0 }).next()
  } catch (error) {
    if (error instanceof ApiError) return undefined
    throw error
  }
}

interface ProviderCount {
  readonly head: RequestHead
  readonly route: Route
  readonly audience: Audience
}

/** Undefined where the provider does not count, or fails. A failure says nothing about chats: no circuit counts it. */
async function askProvider(
  { ports, health }: GatewayContext,
  incoming: ApiRequest,
  { head, route, audience: { catalog } }: ProviderCount,
): Promise<number | undefined> {
  const { channel } = route
  const { settings } = catalog
  const { dialect } = head
  const chatApi = chooseChatApi(providerOf(channel.type), {
    dialect,
    target: { model: route.model, setting: channel.setting },
  })
  if (chatApi?.dialect !== dialect || !chatApi.counting) return undefined
  const lease = health.acquireKey(route)
  if (!lease) return undefined
  try {
    const body = promptFor(head, route)
    const adapted = chatApi.adapt?.(body, {
      model: route.model,
      requestedModel: head.model,
      settings,
      isPassThrough: true,
    })
    const target = targetOf(channel, { key: lease.key, model: adapted?.model ?? route.model })
    const prompt = { ...body, ...(body.model !== undefined && { model: target.model }) }
    const request = await upstreamRequest(ports, channel, {
      target,
      url: chatApi.counting.url(target),
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        accept: 'application/json',
        ...clientHeaders(incoming, { request: head, chatApi }),
        ...adapted?.headers,
      },
      body: JSON.stringify(chatApi.counting.encode?.(prompt, target) ?? prompt),
      client: incoming.request.headers,
    })
    const deadlines = { firstByteMs: DEADLINE_MS, idleMs: DEADLINE_MS }
    const response = await ports.upstream.open({ ...request, signal: incoming.signal, deadlines })
    await checkStatus(response)
    const count = parseJsonObject(await readJsonText(response))?.[chatApi.counting.result]
    return typeof count === 'number' ? count : undefined
  } catch {
    return undefined
  } finally {
    lease.end()
  }
}

/** The prompt as a chat would send it: with the channel's system prompt, and without the thinking of other providers. */
function promptFor({ dialect, body, stream, includeUsage }: RequestHead, { channel, model }: Route): JsonObject {
  const { systemPrompt } = channel
  const overrides = { model, stream, usage: 'keep', systemPrompt } as const
  return { ...body, ...DIALECTS[dialect].passThroughChanges({ body, stream, includeUsage }, overrides) }
}

async function countHere({ dialect }: Pick<ApiRequest, 'dialect'>, head: RequestHead): Promise<number> {
  const { texts, otherTokens } = dialect.promptParts(head)
  return otherTokens + (await countTokens(head.model, texts))
}

async function passes(...checks: readonly (() => void | Promise<void>)[]): Promise<boolean> {
  try {
    for (const check of checks) await check()
    return true
  } catch (error) {
    if (error instanceof ApiError) return false
    throw error
  }
}
