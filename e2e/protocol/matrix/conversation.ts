import type { TokenCounts } from '@tidegate/testing'

/** The protocols of a conversation, at either end. */
export const PROTOCOLS = [
  'openai-chat',
  'openai-responses',
  'anthropic-messages',
  'gemini-generate',
  'gemini-interactions',
] as const
export type Protocol = (typeof PROTOCOLS)[number]

/**
 * The protocols that providers receive requests of a client in. Google has two: clients of Interactions reach that, and
 * all others generateContent.
 */
export function upstreamsOf(client: Protocol): Protocol[] {
  const other = client === 'gemini-interactions' ? 'gemini-generate' : 'gemini-interactions'
  return PROTOCOLS.filter((protocol) => protocol !== other)
}

export const PROTOCOL_NAMES: Record<Protocol, string> = {
  'openai-chat': 'OpenAI chat',
  'openai-responses': 'OpenAI Responses',
  'anthropic-messages': 'Anthropic Messages',
  'gemini-generate': 'Gemini',
  'gemini-interactions': 'Gemini Interactions',
}

export interface Media {
  readonly mediaType: string
  /** As base64. */
  readonly data: string
}

/** A part of a user message. */
export type MessagePart =
  | { readonly text: string; readonly marked?: boolean }
  | { readonly image: Media }
  | { readonly imageUrl: string }
  | { readonly document: Media & { readonly name: string } }

export interface Tool {
  readonly name: string
  readonly description: string
  readonly parameters: Record<string, unknown>
  /** Takes plain text instead of JSON; `parameters` are ignored then. */
  readonly takesText?: boolean
}

export interface ToolResult {
  readonly callId: string
  readonly name: string
  readonly text: string
  readonly image?: Media
  readonly ofTextTool?: boolean
}

/** The settings of every turn of a conversation. */
export interface ChatSettings {
  readonly system?: string
  /** Marks the instructions for the provider's cache. */
  readonly systemMarked?: boolean
  readonly tools?: readonly Tool[]
  readonly thinking?: boolean
  readonly maxTokens?: number
  readonly stop?: readonly string[]
  readonly schema?: { readonly name: string; readonly schema: Record<string, unknown> }
}

/** What the SDK returned, in a protocol-neutral form. */
export interface ClientResponse {
  readonly text: string
  readonly thinking: string
  readonly toolCalls: readonly ReceivedToolCall[]
  /** The protocol's own stop reason. */
  readonly finish: string | undefined
  /** The stop sequence that matched, if the protocol reports it. */
  readonly stopSequence?: string
  /** Token counts that the protocol has; `input` and `output` are totals. */
  readonly usage: Partial<TokenCounts> | undefined
  /** The error that the SDK threw, if any. */
  readonly error: ReceivedError | undefined
  /** The raw response. */
  readonly raw: string
}

export interface ReceivedToolCall {
  readonly id: string
  readonly name: string
  readonly arguments: string
  /** The arguments are the raw text, not what the SDK parsed. */
  readonly exact: boolean
}

export interface ReceivedError {
  /** Missing for an error inside a stream. */
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

/** A conversation of a real client: it sends back what its SDK returned. API errors are returned, not thrown. */
export interface Conversation {
  send(...parts: MessagePart[]): Promise<ClientResponse>
  sendToolResults(results: readonly ToolResult[]): Promise<ClientResponse>
  /** Continues with another model, as users do. */
  turnTo(model: string): void
}

export interface ConversationOptions {
  readonly url: string
  readonly key: string
  readonly model: string
  readonly stream: boolean
  readonly settings: ChatSettings
}

/** Why a model stopped; each protocol has its own values. */
type Finish = 'stop' | 'stop-sequence' | 'length' | 'tool-calls' | 'refusal'

/** One official SDK, used as documented. */
export interface Client {
  readonly protocol: Protocol
  readonly finishReasons: Record<Finish, string>
  open(options: ConversationOptions): Conversation
  /** Whether a stream has its end mark. */
  endsWell(raw: string): boolean
  /** Whether an error has the format of this protocol. */
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
