import type { JsonObject } from '@tidegate/dialects'

/** Stores responses of the Responses API for their users. */
export interface ResponseStore {
  /** Queues a finished response. Never waits and never throws; one that cannot be queued is logged. */
  save(response: NewResponse): void
  /** Stores a response that begins to run in the background. It has failed if its lease ends first. */
  begin(response: NewResponse, leaseUntil: Date): Promise<void>
  /** Extends leases. Returns the ids of those that were neither cancelled nor deleted. */
  renew(running: readonly Pick<ResponseLocation, 'userId' | 'id'>[], leaseUntil: Date): Promise<readonly string[]>
  /** Cancels a response that runs in the background; nothing happens to any other. */
  cancel(userId: number, id: string): Promise<void>
  /** Adds events to the stream of a background response. */
  addEvents(userId: number, id: string, events: StoredEvents): Promise<void>
  /** The events after a sequence number, in order. The first ones may be at or before it. */
  findEvents(userId: number, id: string, after: number): Promise<readonly StoredEvents[]>
  /** The response with an id: that of the user, else that of another one. */
  locate(userId: number, id: string): Promise<ResponseLocation | undefined>
  find(userId: number, id: string): Promise<StoredResponse | undefined>
  /** A response and the turns before it, the first one first. */
  findThread(userId: number, id: string): Promise<readonly StoredResponse[]>
  /** Items by their ids. Unknown ones are missing. */
  findItems(userId: number, ids: readonly string[]): Promise<ReadonlyMap<string, StoredItem>>
  /** Whether there was one. */
  remove(userId: number, id: string): Promise<boolean>
}

/** Consecutive events of a stream. */
export interface StoredEvents {
  /** Sequence number of the first one. */
  readonly first: number
  readonly events: readonly JsonObject[]
}

export type ResponseStatus = 'queued' | 'in_progress' | 'completed' | 'failed' | 'cancelled' | 'incomplete'

/** The account of a provider that stores a response too. */
export interface StoringAccount {
  readonly channelId: number
  readonly keyId: string
  /** The name that the channel was looked up by. */
  readonly routed: string
}

export interface ResponseLocation {
  readonly userId: number
  readonly id: string
  /** The same for all responses of one thread. */
  readonly thread: string
  readonly status: ResponseStatus
  readonly account?: StoringAccount | undefined
}

export interface ResponseContent {
  /** The input of this turn, as the client sent it. */
  readonly input: readonly JsonObject[]
  readonly response: JsonObject
}

export interface StoredResponse extends ResponseContent {
  readonly id: string
  readonly previousId: string | undefined
  readonly status: ResponseStatus
}

export interface StoredItem {
  readonly item: JsonObject
  readonly location: ResponseLocation
}

export interface NewResponse extends Pick<ResponseLocation, 'userId' | 'id' | 'thread' | 'account'> {
  readonly previousId: string | undefined
  readonly createdAt: Date
  readonly expiresAt: Date
  /** An estimate of its size in memory. */
  readonly bytes: number
  /** Called when the response is written. Undefined if there is nothing to store. */
  content(): ResponseContent | undefined
}

/** Stores conversations of the Conversations API for their users. */
export interface ConversationStore {
  create(conversation: NewConversation): Promise<void>
  find(userId: number, id: string): Promise<StoredConversation | undefined>
  isOfAnother(userId: number, id: string): Promise<boolean>
  change(userId: number, id: string, metadata: JsonObject): Promise<void>
  /** Whether there was one. */
  remove(userId: number, id: string): Promise<boolean>
  /** The first one first. */
  listItems(userId: number, id: string): Promise<readonly JsonObject[]>
  /** Every item has an id. The conversation is kept until `expiresAt`. */
  addItems(
    conversation: Pick<NewConversation, 'userId' | 'id' | 'expiresAt'>,
    items: readonly JsonObject[],
  ): Promise<void>
  removeItem(userId: number, conversationId: string, id: string): Promise<boolean>
}

export interface StoredConversation {
  readonly id: string
  readonly metadata: JsonObject
  readonly createdAt: Date
}

export interface NewConversation extends StoredConversation {
  readonly userId: number
  readonly items: readonly JsonObject[]
  readonly expiresAt: Date
}
