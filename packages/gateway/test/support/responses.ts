import { itemsById, type JsonObject } from '@tidegate/dialects'
import type {
  ConversationStore,
  NewConversation,
  NewResponse,
  ResponseStatus,
  ResponseStore,
  StoredEvents,
  StoredItem,
  StoredResponse,
} from '../../src/ports/index.ts'

/** Responses in memory, with the rules of the database. */
export class MemoryResponses implements ResponseStore {
  readonly saved: NewResponse[] = []
  readonly events = new Map<string, StoredEvents[]>()

  save(response: NewResponse): void {
    if (!response.content()) return
    const running = this.#find(response.userId, response.id)
    if (running && statusOf(running) === 'cancelled') return
    if (running) this.saved.splice(this.saved.indexOf(running), 1, response)
    else this.saved.push(response)
  }

  async begin(response: NewResponse): Promise<void> {
    this.save(response)
  }

  async renew(running: readonly { readonly userId: number; readonly id: string }[]): Promise<readonly string[]> {
    const kept = running.filter(({ userId, id }) => isRunning(this.#find(userId, id)))
    return kept.map(({ id }) => id)
  }

  async cancel(userId: number, id: string): Promise<void> {
    const found = this.#find(userId, id)
    if (!found || !isRunning(found)) return
    const { input, response } = found.content()!
    const cancelled = { input, response: { ...response, status: 'cancelled' } }
    this.saved.splice(this.saved.indexOf(found), 1, { ...found, content: () => cancelled })
  }

  async addEvents(_userId: number, id: string, events: StoredEvents): Promise<void> {
    this.events.set(id, [...(this.events.get(id) ?? []), events])
  }

  async findEvents(userId: number, id: string, after: number): Promise<readonly StoredEvents[]> {
    const all = this.#find(userId, id) ? (this.events.get(id) ?? []) : []
    return all.filter(({ first, events }) => first + events.length - 1 > after)
  }

  async locate(userId: number, id: string) {
    const found = this.#find(userId, id) ?? this.saved.find((response) => response.id === id)
    return found && locationOf(found)
  }

  async find(userId: number, id: string) {
    const found = this.#find(userId, id)
    return found && read(found)
  }

  async findThread(userId: number, id: string): Promise<readonly StoredResponse[]> {
    const found = this.#find(userId, id)
    if (!found) return []
    const earlier = found.previousId === undefined ? [] : await this.findThread(userId, found.previousId)
    return [...earlier, read(found)]
  }

  async findItems(userId: number, ids: readonly string[]): Promise<ReadonlyMap<string, StoredItem>> {
    const own = this.saved.filter((response) => response.userId === userId)
    const found = own.flatMap((response) => {
      const { input, response: body } = response.content()!
      const items = body.object === 'interaction' ? new Map() : itemsById([...input, ...(body.output as unknown[])])
      return [...items].map(([id, item]) => [id, { item, location: locationOf(response) }] as const)
    })
    return new Map(found.filter(([id]) => ids.includes(id)))
  }

  async remove(userId: number, id: string): Promise<boolean> {
    const found = this.#find(userId, id)
    if (found) this.saved.splice(this.saved.indexOf(found), 1)
    return found !== undefined
  }

  #find(userId: number, id: string): NewResponse | undefined {
    return this.saved.find((response) => response.userId === userId && response.id === id)
  }
}

function read(response: NewResponse): StoredResponse {
  return { id: response.id, previousId: response.previousId, status: statusOf(response), ...response.content()! }
}

function statusOf(response: NewResponse): ResponseStatus {
  return response.content()!.response.status as ResponseStatus
}

function isRunning(response: NewResponse | undefined): boolean {
  return response !== undefined && ['queued', 'in_progress'].includes(statusOf(response))
}

function locationOf(response: NewResponse) {
  const { userId, id, thread, account } = response
  return { userId, id, thread, account, status: statusOf(response) }
}

/** Conversations in memory. */
export class MemoryConversations implements ConversationStore {
  readonly all: (NewConversation & { items: JsonObject[] })[] = []

  async create(conversation: NewConversation): Promise<void> {
    this.all.push({ ...conversation, items: [...conversation.items] })
  }

  async find(userId: number, id: string) {
    return this.#find(userId, id)
  }

  async isOfAnother(userId: number, id: string): Promise<boolean> {
    return this.all.some((one) => one.id === id && one.userId !== userId)
  }

  async change(userId: number, id: string, metadata: JsonObject): Promise<void> {
    const found = this.#find(userId, id)
    if (found) this.all.splice(this.all.indexOf(found), 1, { ...found, metadata })
  }

  async remove(userId: number, id: string): Promise<boolean> {
    const found = this.#find(userId, id)
    if (found) this.all.splice(this.all.indexOf(found), 1)
    return found !== undefined
  }

  async listItems(userId: number, id: string): Promise<readonly JsonObject[]> {
    return this.#find(userId, id)?.items ?? []
  }

  async addItems({ userId, id }: { userId: number; id: string }, items: readonly JsonObject[]): Promise<void> {
    this.#find(userId, id)?.items.push(...items)
  }

  async removeItem(userId: number, conversationId: string, id: string): Promise<boolean> {
    const items = this.#find(userId, conversationId)?.items ?? []
    const at = items.findIndex((item) => item.id === id)
    return at !== -1 && items.splice(at, 1).length > 0
  }

  #find(userId: number, id: string) {
    return this.all.find((one) => one.userId === userId && one.id === id)
  }
}
