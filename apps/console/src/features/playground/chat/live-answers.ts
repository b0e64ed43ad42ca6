import type { Answer, Picture } from '../conversation/conversation.ts'
import { isPicture, type Delta } from './stream-chat.ts'

/** The content received so far, as it is rendered. */
export interface LiveContent {
  readonly content: string
  readonly thinking: string
  readonly thinkingMs: number
  readonly pictures: readonly Picture[]
}

const EMPTY: LiveContent = { content: '', thinking: '', thinkingMs: 0, pictures: [] }

/** Minimum time between renders. The cost of a render grows with the length of the unfinished part. */
const PAUSES = [
  { from: 24_000, milliseconds: 400 },
  { from: 6_000, milliseconds: 150 },
  // About 20 renders per second leave time for scrolling and typing.
  { from: 0, milliseconds: 45 },
] as const

/**
 * An answer while it is generated. It is kept outside the store, so that new text renders only this answer, and at a
 * limited rate.
 */
export class LiveAnswer {
  #text = ''
  #thinking = ''
  #pictures: Picture[] = []
  #thinkingSince: number | undefined
  #thinkingMs = 0
  #content: LiveContent = EMPTY
  #listeners = new Set<() => void>()
  #isScheduled = false
  #renderedAt = 0
  readonly #startedAt = performance.now()
  #firstTokenMs: number | null = null
  #usage: Delta['usage']

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  readonly content = (): LiveContent => this.#content

  get hasBegun(): boolean {
    return this.#firstTokenMs !== null
  }

  add({ text, thinking, pictures, usage }: Delta): void {
    if (usage) this.#usage = usage
    if (text === '' && thinking === '' && pictures.length === 0) return
    const now = performance.now()
    this.#firstTokenMs ??= now - this.#startedAt
    if (thinking !== '') {
      this.#thinkingSince ??= now
      this.#thinking += thinking
    }
    if (text !== '' || pictures.length > 0) this.#endThinking(now)
    this.#text += text
    this.#pictures.push(...pictures)
    if (text.includes('base64,')) this.#extractPictures()
    this.#schedule()
  }

  result(): Pick<
    Answer,
    | 'content'
    | 'thinking'
    | 'thinkingMs'
    | 'pictures'
    | 'firstTokenMs'
    | 'milliseconds'
    | 'inputTokens'
    | 'outputTokens'
  > {
    const now = performance.now()
    const { content, thinking, thinkingMs, pictures } = this.#snapshot(now)
    return {
      content,
      thinking,
      thinkingMs,
      pictures: [...pictures],
      firstTokenMs: this.#firstTokenMs === null ? null : Math.round(this.#firstTokenMs),
      milliseconds: Math.round(now - this.#startedAt),
      inputTokens: this.#usage?.inputTokens ?? null,
      outputTokens: this.#usage?.outputTokens ?? null,
    }
  }

  #endThinking(now: number): void {
    if (this.#thinkingSince === undefined) return
    this.#thinkingMs += now - this.#thinkingSince
    this.#thinkingSince = undefined
  }

  /** Moves pictures out of the text, where their data URLs would be megabytes to render and to send again. */
  #extractPictures(): void {
    this.#text = this.#text.replace(/!\[([^\]]*)\]\((data:image\/[^)\s]+)\)/g, (whole, name: string, url: string) => {
      if (!isPicture(url)) return whole
      this.#pictures.push({ url, name })
      return ''
    })
  }

  #snapshot(now: number): LiveContent {
    const open = this.#thinkingSince === undefined ? 0 : now - this.#thinkingSince
    const pictures =
      this.#pictures.length === this.#content.pictures.length ? this.#content.pictures : [...this.#pictures]
    return {
      content: this.#text,
      thinking: this.#thinking,
      thinkingMs: Math.round(this.#thinkingMs + open),
      pictures,
    }
  }

  #schedule(): void {
    if (this.#isScheduled) return
    this.#isScheduled = true
    // A hidden page gets no animation frames.
    if (document.hidden) setTimeout(this.#render, 500)
    else requestAnimationFrame(this.#render)
  }

  readonly #render = (): void => {
    const now = performance.now()
    const pause = PAUSES.find(({ from }) => this.#tailLength() >= from)?.milliseconds ?? 0
    if (now - this.#renderedAt < pause) {
      setTimeout(() => requestAnimationFrame(this.#render), pause - (now - this.#renderedAt))
      return
    }
    this.#isScheduled = false
    this.#renderedAt = now
    this.#content = this.#snapshot(now)
    for (const listener of this.#listeners) listener()
  }

  /** Approximate length of what renders again: the text since the last empty line, or an open code block. */
  #tailLength(): number {
    const fences = this.#text.split('\n```').length - 1
    const from = fences % 2 === 1 ? this.#text.lastIndexOf('\n```') : this.#text.lastIndexOf('\n\n')
    return this.#text.length - Math.max(0, from)
  }
}

const live = new Map<string, LiveAnswer>()

export const liveAnswer = (id: string): LiveAnswer | undefined => live.get(id)

export function addLiveAnswer(id: string): LiveAnswer {
  const answer = new LiveAnswer()
  live.set(id, answer)
  return answer
}

export function removeLiveAnswer(id: string): void {
  live.delete(id)
}
