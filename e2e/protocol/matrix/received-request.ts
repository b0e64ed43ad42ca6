import type { ReceivedRequest } from '@tidegate/testing'
import type { Media, Protocol } from './conversation.ts'

/** What a vendor was asked, in words of no protocol. */
export interface DecodedRequest {
  readonly system: string
  /** What one side said in several messages is one turn here. */
  readonly turns: readonly DecodedTurn[]
  readonly tools: readonly DecodedTool[]
  readonly maxTokens: number | undefined
  readonly stop: readonly string[]
  /** The schema the answer must have. */
  readonly schema: unknown
  readonly thinks: boolean
  /** Texts the vendor is told to keep in its cache. */
  readonly marked: readonly string[]
  readonly streams: boolean
}

export interface DecodedTurn {
  readonly role: 'user' | 'assistant'
  readonly parts: readonly DecodedPart[]
}

export type DecodedPart =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'thinking'; readonly text: string; readonly signature?: string }
  | { readonly kind: 'image'; readonly image?: Media; readonly url?: string }
  | { readonly kind: 'document'; readonly document: Media }
  | {
      readonly kind: 'call'
      readonly id?: string
      readonly name: string
      readonly arguments: string
      readonly signature?: string
    }
  | { readonly kind: 'result'; readonly id?: string; readonly text: string; readonly images: readonly Media[] }

export interface DecodedTool {
  readonly name: string
  readonly description?: string
  readonly parameters: unknown
}

/** One vendor's way of being asked, and the channel that leads to it. */
export interface Upstream {
  readonly protocol: Protocol
  readonly channel: { readonly type: number; readonly setting?: string }
  readonly model: string
  /** Where thinking is another model's business. */
  readonly thinkingModel?: string
  /** What of its counts the vendor tells apart. */
  readonly tells: readonly ('cacheRead' | 'cacheWrite' | 'reasoning')[]
  inspect(request: ReceivedRequest): DecodedRequest
}

/** Joins turns of one side. */
export function mergeTurns(turns: readonly DecodedTurn[]): DecodedTurn[] {
  const merged: DecodedTurn[] = []
  for (const turn of turns) {
    const last = merged.at(-1)
    if (last?.role === turn.role) merged[merged.length - 1] = { ...last, parts: [...last.parts, ...turn.parts] }
    else merged.push(turn)
  }
  return merged
}

export function partsOf<Kind extends DecodedPart['kind']>(
  turns: readonly DecodedTurn[],
  kind: Kind,
): Extract<DecodedPart, { kind: Kind }>[] {
  return turns.flatMap(({ parts }) => parts.filter((part) => part.kind === kind)) as Extract<
    DecodedPart,
    { kind: Kind }
  >[]
}

export function mediaOf(dataUrl: string): Media | undefined {
  const [, mediaType, data] = /^data:([^;]+);base64,(.*)$/.exec(dataUrl) ?? []
  return mediaType === undefined || data === undefined ? undefined : { mediaType, data }
}

export function imageOf(url: string): DecodedPart {
  const image = mediaOf(url)
  return image === undefined ? { kind: 'image', url } : { kind: 'image', image }
}
