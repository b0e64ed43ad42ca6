import type { ReceivedRequest } from '@tidegate/testing'
import type { Media, Protocol } from './conversation.ts'

/** A request at a provider, in a protocol-neutral form. */
export interface DecodedRequest {
  readonly system: string
  /** Consecutive messages of one role are one turn. */
  readonly turns: readonly DecodedTurn[]
  readonly tools: readonly DecodedTool[]
  readonly maxTokens: number | undefined
  readonly stop: readonly string[]
  /** The schema of the response. */
  readonly schema: unknown
  readonly thinks: boolean
  /** Texts marked for the provider's cache. */
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

/** How requests to one provider are decoded, and its channel. */
export interface Upstream {
  readonly protocol: Protocol
  readonly channel: { readonly type: number; readonly setting?: string }
  readonly model: string
  /** If thinking needs another model. */
  readonly thinkingModel?: string
  /** The token details that the provider reports. */
  readonly reportedCounts: readonly ('cacheRead' | 'cacheWrite' | 'reasoning')[]
  inspect(request: ReceivedRequest): DecodedRequest
}

/** Joins consecutive turns of one role. */
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
