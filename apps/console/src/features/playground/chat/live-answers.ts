import { isPicture, type Delta } from './read-chunk.ts'
import type { Answer, Picture } from '../conversation/types.ts'

/** What has been said so far, as it is drawn. */
export interface Heard {
  readonly content: string
  readonly thinking: string
  readonly thinkingMs: number
  readonly pictures: readonly Picture[]
}

export const NOTHING_HEARD: Heard = { content: '', thinking: '', thinkingMs: 0, pictures: [] }

/** The longer the part that is still being written, the more a drawing costs, and the rarer it is. */
const PAUSES = [
  { from: 24_000, milliseconds: 400 },
  { from: 6_000, milliseconds: 150 },
  // Nobody reads faster, and the other pictures of the screen are left for scrolling and typing.
  { from: 0, milliseconds: 45 },
] as const

/**
 * One answer while it is being given. It is kept apart from the conversation, so that a word more draws this answer anew
 * and nothing else, and no more often than the screen can show it.
 */
export class LiveAnswer {
  #content = ''
  #thinking = ''
  #pictures: Picture[] = []
  #thinkingSince: number | undefined
  #thinkingMs = 0
  #heard: Heard = NOTHING_HEARD
  #listeners = new Set<() => void>()
  #isScheduled = false
  #drawnAt = 0
  readonly #startedAt = performance.now()
  #firstTokenMs: number | null = null
  #usage: Delta['usage']

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  readonly heard = (): Heard => this.#heard

  get hasBegun(): boolean {
    return this.#firstTokenMs !== null
  }

  add({ text, thinking, pictures, usage }: Delta): void {
    if (usage) this.#usage = usage
    if (text === '' && thinking === '' && pictures.length === 0) return
    const now = performance.now()
    this.#firstTokenMs ??= now - this.#startedAt
    if (thinking !== '') this.#think(thinking, now)
    if (text !== '' || pictures.length > 0) this.#endThought(now)
    this.#content += text
    this.#pictures.push(...pictures)
    if (text.includes('base64,')) this.#takePictures()
    this.#schedule()
  }

  /** Everything there is to know of the answer now. */
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

  #think(thinking: string, now: number): void {
    this.#thinkingSince ??= now
    this.#thinking += thinking
  }

  #endThought(now: number): void {
    if (this.#thinkingSince === undefined) return
    this.#thinkingMs += now - this.#thinkingSince
    this.#thinkingSince = undefined
  }

  /** Pictures within the words are shown beside them: as text they would be megabytes to draw, and to send again. */
  #takePictures(): void {
    this.#content = this.#content.replace(
      /!\[([^\]]*)\]\((data:image\/[^)\s]+)\)/g,
      (whole, name: string, url: string) => {
        if (!isPicture(url)) return whole
        this.#pictures.push({ url, name })
        return ''
      },
    )
  }

  #snapshot(now: number): Heard {
    const open = this.#thinkingSince === undefined ? 0 : now - this.#thinkingSince
    const pictures = this.#pictures.length === this.#heard.pictures.length ? this.#heard.pictures : [...this.#pictures]
    return {
      content: this.#content,
      thinking: this.#thinking,
      thinkingMs: Math.round(this.#thinkingMs + open),
      pictures,
    }
  }

  #schedule(): void {
    if (this.#isScheduled) return
    this.#isScheduled = true
    // Nothing is drawn while nobody looks; the words are kept all the same.
    if (document.hidden) setTimeout(this.#draw, 500)
    else requestAnimationFrame(this.#draw)
  }

  readonly #draw = (): void => {
    const now = performance.now()
    const pause = PAUSES.find(({ from }) => this.#tailLength() >= from)?.milliseconds ?? 0
    if (now - this.#drawnAt < pause) {
      setTimeout(() => requestAnimationFrame(this.#draw), pause - (now - this.#drawnAt))
      return
    }
    this.#isScheduled = false
    this.#drawnAt = now
    this.#heard = this.#snapshot(now)
    for (const listener of this.#listeners) listener()
  }

  /** About what is drawn anew: since the last empty line, or all of an open block of code. */
  #tailLength(): number {
    const fences = this.#content.split('\n```').length - 1
    const from = fences % 2 === 1 ? this.#content.lastIndexOf('\n```') : this.#content.lastIndexOf('\n\n')
    return this.#content.length - Math.max(0, from)
  }
}

const live = new Map<string, LiveAnswer>()

export const liveAnswer = (id: string): LiveAnswer | undefined => live.get(id)

export function beginLive(id: string): LiveAnswer {
  const answer = new LiveAnswer()
  live.set(id, answer)
  return answer
}

export function endLive(id: string): void {
  live.delete(id)
}
