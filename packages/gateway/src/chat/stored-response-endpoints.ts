import { ApiError } from '@tidegate/contract'
import { asText, type JsonObject } from '@tidegate/dialects'
import type { ApiRequest } from '../http/api-request.ts'
import type { Endpoint } from '../http/endpoints.ts'
import { requireField } from '../http/read-body.ts'
import type { BackgroundResponses } from './background-responses.ts'
import type { Caller, ResponseStore, StoredResponse } from '../ports/index.ts'
import { turnFormat } from './turn-format.ts'

type StoredResponseEndpoint = Extract<Endpoint, { kind: 'stored-response' }>

/** Shows, cancels or deletes a stored response of the caller. No provider is called. */
export async function serveStoredResponse(
  { store, background }: { readonly store: ResponseStore; readonly background: Pick<BackgroundResponses, 'cancel'> },
  { request: { url = '' } }: Pick<ApiRequest, 'request'>,
  { action, id, protocol }: StoredResponseEndpoint,
  { userId }: Pick<Caller, 'userId'>,
): Promise<object> {
  const format = turnFormat(protocol)
  const stored = await store.find(userId, id)
  if (stored?.response.object !== format.object) throw new ApiError(format.notFound, { id })
  if (action === 'delete') {
    await store.remove(userId, id)
    return format.deleted(id)
  }
  if (action === 'cancel') {
    requireField(stored.response.background === true, `only a background ${format.object} can be cancelled`)
    if (stored.status === 'queued' || stored.status === 'in_progress') await background.cancel(userId, id)
    return shown((await store.find(userId, id)) ?? stored)
  }
  const query = new URL(url, 'http://gateway').searchParams
  if (action === 'input-items') return listItems(inputItemsOf(stored), query)
  const isStream = query.get('stream') === 'true'
  requireField(!isStream, `stream is only possible for a ${format.object} that was created with background and stream`)
  const isInputShown = format.object === 'interaction' && query.get('include_input') === 'true'
  return { ...shown(stored), ...(isInputShown && { input: stored.input }) }
}

/** The store reports a process that ended in the form of the Responses API. */
function shown({ response }: StoredResponse): JsonObject {
  const { error, ...rest } = response
  return response.object === 'interaction' && error ? { ...rest, errors: [error] } : response
}

/** Every listed item has an id. */
function inputItemsOf({ id, input }: StoredResponse): JsonObject[] {
  const tail = id.replace(/^resp_/, '')
  return input.map((item, index) => {
    const type = asText(item.type) || 'message'
    return { ...item, type, id: asText(item.id) || `${type === 'message' ? 'msg' : 'item'}_${tail}_in${index}` }
  })
}

const MAX_PAGE = 100
const DEFAULT_PAGE = 20

/** One page of a list, the last items first unless the query says otherwise. */
export function listItems(items: readonly JsonObject[], query: URLSearchParams): object {
  const limit = Number(query.get('limit') ?? DEFAULT_PAGE)
  requireField(Number.isInteger(limit) && limit >= 1 && limit <= MAX_PAGE, `limit must be from 1 to ${MAX_PAGE}`)
  const order = query.get('order') ?? 'desc'
  requireField(order === 'asc' || order === 'desc', 'order must be asc or desc')
  const ordered = order === 'asc' ? items : items.toReversed()
  const after = query.get('after')
  const start = after === null ? 0 : ordered.findIndex(({ id }) => id === after) + 1
  requireField(after === null || start > 0, `after names no item of this list: ${after}`)
  const data = ordered.slice(start, start + limit)
  return {
    object: 'list',
    data,
    first_id: data[0]?.id ?? null,
    last_id: data.at(-1)?.id ?? null,
    has_more: start + limit < ordered.length,
  }
}
