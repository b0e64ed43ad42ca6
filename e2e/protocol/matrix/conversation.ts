import type { TokenCounts } from '@tidegate/testing'

/** The protocols a conversation can be held in, at either end. */
export const PROTOCOLS = ['openai-chat', 'openai-responses', 'anthropic-messages', 'gemini-generate'] as const
export type Protocol = (typeof PROTOCOLS)[number]

export const PROTOCOL_NAMES: Record<Protocol, string> = {
  'openai-chat': 'OpenAI chat',
  'openai-responses': 'OpenAI Responses',
  'anthropic-messages': 'Anthropic Messages',
  'gemini-generate': 'Gemini',
}

export interface Media {
  readonly mediaType: string
  /** As base64. */
  readonly data: string
}

/** A piece of what a user says. */
export type MessagePart =
  | { readonly text: string; readonly marked?: boolean }
  | { readonly image: Media }
  | { readonly imageUrl: string }
  | { readonly document: Media & { readonly name: string } }

export interface Tool {
  readonly name: string
  readonly description: string
  readonly parameters: Record<string, unknown>
  /** Takes plain text instead of JSON; `parameters` mean nothing then. */
  readonly takesText?: boolean
}

export interface ToolResult {
  readonly callId: string
  readonly name: string
  readonly text: string
  readonly image?: Media
  readonly ofTextTool?: boolean
}

/** What a client asks of every turn of a conversation. */
export interface ChatSettings {
  readonly system?: string
  /** Marks the instructions as worth keeping in the vendor's cache. */
  readonly systemMarked?: boolean
  readonly tools?: readonly Tool[]
  readonly thinking?: boolean
  readonly maxTokens?: number
  readonly stop?: readonly string[]
  readonly schema?: { readonly name: string; readonly schema: Record<string, unknown> }
}

/** What the SDK gave its caller, in words of no protocol. */
export interface ClientResponse {
  readonly text: string
  readonly thinking: string
  readonly toolCalls: readonly ReceivedToolCall[]
  /** The client's own word for why the model stopped. */
  readonly finish: string | undefined
  /** The stop text that ended it, where the protocol tells. */
  readonly stopSequence?: string
  /** Counts the protocol has words for; `input` and `output` are wholes. */
  readonly usage: Partial<TokenCounts> | undefined
  /** What the SDK threw, if it did. */
  readonly error: ReceivedError | undefined
  /** The answer as it was on the wire. */
  readonly raw: string
}

export interface ReceivedToolCall {
  readonly id: string
  readonly name: string
  readonly arguments: string
  /** The arguments are the text that was on the wire, not what the SDK parsed from it. */
  readonly exact: boolean
}

export interface ReceivedError {
  /** Missing for an error that came inside a stream. */
  readonly status: number | undefined
  readonly message: string
  /** The error object of the protocol, as the SDK shows it. */
  readonly shape: unknown
}

export const EMPTY_RESPONSE: ClientResponse = {
  text: '',
  thinking: '',
  toolCalls: [],
  finish: undefined,
  usage: undefined,
  error: undefined,
  raw: '',
}

/** A conversation as a real client holds it: it sends back what its SDK gave it. Errors of the API are heard, not thrown. */
export interface Conversation {
  send(...parts: MessagePart[]): Promise<ClientResponse>
  sendToolResults(results: readonly ToolResult[]): Promise<ClientResponse>
  /** Goes on with another model, as users do in the middle of their work. */
  turnTo(model: string): void
}

export interface ConversationOptions {
  readonly url: string
  readonly key: string
  readonly model: string
  readonly stream: boolean
  readonly settings: ChatSettings
}

/** Why a model stopped; each protocol has its own words for these. */
type Finish = 'stop' | 'stop-sequence' | 'length' | 'tool-calls' | 'refusal'

/** One official SDK, used as its documentation says. */
export interface Client {
  readonly protocol: Protocol
  readonly finishWords: Record<Finish, string>
  open(options: ConversationOptions): Conversation
  /** Whether a stream has the mark that tells it is whole. */
  endsWell(raw: string): boolean
  /** Whether an error has the shape this protocol gives to errors. */
  isOwnError(error: ReceivedError): boolean
}

/** One blue pixel. */
export const PNG: Media = {
  mediaType: 'image/png',
  data: 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPj/HwADBwIAMCbHYQAAAABJRU5ErkJggg==',
}

/** An empty page. */
export const PDF: Media & { readonly name: string } = {
  name: 'tide-table.pdf',
  mediaType: 'application/pdf',
  data: Buffer.from(
    '%PDF-1.4\n1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj\n2 0 obj<</Type/Pages/Kids[]/Count 0>>endobj\ntrailer<</Root 1 0 R>>\n%%EOF\n',
  ).toString('base64'),
}
