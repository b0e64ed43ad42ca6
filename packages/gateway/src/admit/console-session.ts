import { ApiError, type ErrorCode } from '@tidegate/contract'
import { asJsonObject, asText, DialectError, type JsonObject, type RequestHead } from '@tidegate/dialects'
import type { ApiRequest, KnownRequest } from '../http/api-request.ts'
import { readJson } from '../http/read-body.ts'
import type { Caller, Catalog, UserRecord, Ports } from '../ports/index.ts'
import { usableGroup } from './access.ts'
import type { AuthenticatedRequest } from './admit.ts'
import { watchSession } from './authenticate.ts'
import { checkBalance } from './credit.ts'

/** Two comparisons of four models side by side. */
const PLAYGROUND_CONCURRENCY = 8

/** Authenticates by console session. The body is read here because it names the group. */
export async function authenticateSession(
  ports: Pick<Ports, 'users' | 'credit'>,
  incoming: Pick<
    ApiRequest,
    'request' | 'requestId' | 'dialect' | 'clientAddress' | 'access' | 'needsRecheck' | 'known'
  >,
  catalog: Catalog,
): Promise<AuthenticatedRequest<RequestHead>> {
  if (!ports.users) throw new ApiError('service_unavailable')
  const { request, requestId, dialect } = incoming
  const person = await ports.users.identify(request)
  incoming.known.caller = withoutToken(person, person.userGroup)
  await watchSession(ports.users, incoming, person)
  // An HTML form of another site cannot send this content type.
  if (!/^application\/json\s*(;|$)/i.test(request.headers['content-type'] ?? '')) {
    throw new ApiError('unsupported_media_type')
  }
  const { settings } = catalog
  const groups = [person.userGroup, ...Object.keys(settings.UserUsableGroups)]
  const beforeLarge = () =>
    checkBalance(ports, { requestId }, { caller: withoutToken(person, person.userGroup), catalog, groups })
  const body = await readJson(request, { beforeLarge }).catch((error: unknown) => {
    throw error instanceof DialectError ? new ApiError('unmarshal_request_failed', {}, { cause: error }) : error
  })
  const { group: requestedGroup, text, json } = readPlaygroundBody(body.json)
  const group = usableGroup(person, requestedGroup, settings)
  const caller = withoutToken(person, group)
  incoming.known.caller = caller
  incoming.known.group = group
  return {
    caller,
    group,
    readRequest: () => Promise.resolve(dialect.readRequest(text, undefined, json)),
  }
}

/** A caller without a token: only the user's balance limits the cost. */
function withoutToken(person: UserRecord, group: string): Caller {
  return {
    ...person,
    tokenId: 0,
    tokenName: `playground-${group}`,
    tokenStatus: 1,
    expiredTime: -1,
    unlimitedQuota: true,
    remainQuota: 0,
    modelLimitsEnabled: false,
    modelLimits: [],
    allowIps: '',
    tokenGroup: group,
    maxConcurrency: PLAYGROUND_CONCURRENCY,
  }
}

interface PlaygroundBody {
  /** Blank when the body names none. */
  readonly group: string
  /** The chat request without the fields of the console. */
  readonly text: string
  readonly json: JsonObject
}

const ROLES = new Set(['system', 'developer', 'user', 'assistant', 'tool'])
const MESSAGE_KEYS = ['role', 'content', 'name', 'tool_calls', 'tool_call_id']
const MAX_MESSAGES = 1000

/**
 * Removes the console's own fields from a chat request: the group, ids and states of messages, and 0 for "no limit".
 */
export function readPlaygroundBody(json: JsonObject): PlaygroundBody {
  const { group, max_tokens: maxTokens, ...rest } = json
  if (typeof rest.model !== 'string' || rest.model.trim() === '') throw new ApiError('model_required')
  const body = {
    ...rest,
    messages: readMessages(rest.messages),
    ...(maxTokens !== 0 && maxTokens !== null && maxTokens !== undefined && { max_tokens: maxTokens }),
  }
  return { group: asText(group).trim(), text: JSON.stringify(body), json: body }
}

function readMessages(value: unknown): JsonObject[] {
  if (!Array.isArray(value)) throw invalidRequest('messages must be a non-empty array')
  if (value.length > MAX_MESSAGES) throw invalidRequest(`there are more than ${MAX_MESSAGES} messages`)
  return value.map((item: unknown, at) => {
    const message = asJsonObject(item)
    if (!message || !ROLES.has(asText(message.role)))
      throw invalidRequest(`messages[${at}] has no role that is known here`)
    return Object.fromEntries(MESSAGE_KEYS.filter((key) => key in message).map((key) => [key, message[key]]))
  })
}

function invalidRequest(reason: string): ApiError {
  return new ApiError('invalid_text_request', { reason })
}

const OUT_OF_REACH = new Set<ErrorCode>(['no_channel', 'model_not_in_group', 'model_endpoint_unsupported'])

/** The playground has one code for a known model that cannot be called in the chosen group. */
export function playgroundError(
  { group = '', model = '' }: Pick<KnownRequest, 'group' | 'model'>,
  error: unknown,
): unknown {
  if (!(error instanceof ApiError) || !OUT_OF_REACH.has(error.code)) return error
  return new ApiError('get_playground_channel_failed', { group, model }, { cause: error })
}
