import type { MediaTask } from '@tidegate/contract/api'

/** A URL that an image or a player may load. Providers also send other texts, and some URLs would run as scripts. */
export function mediaAddress(value: unknown): string | null {
  if (typeof value !== 'string' || value === '') return null
  if (/^\/[^/\\]/.test(value)) return value // on this site
  const url = URL.parse(value)
  return url?.protocol === 'https:' || url?.protocol === 'http:' ? url.href : null
}

export interface Song {
  audio: string
  cover: string | null
  title: string
  /** The genre as the provider names it. */
  tags: string
  /** Seconds; null if the provider does not report it. */
  duration: number | null
}

/** The songs in the data of a provider, which is a list or a single song. */
export function songsIn(data: unknown): Song[] {
  const entries: readonly unknown[] = Array.isArray(data) ? data : [data]
  return entries.flatMap((entry) => {
    if (!isRecord(entry)) return []
    const audio = mediaAddress(entry.audio_url)
    if (audio === null) return []
    const details = isRecord(entry.metadata) ? entry.metadata : {}
    return {
      audio,
      cover: mediaAddress(entry.image_url),
      title: firstText(entry.title),
      tags: firstText(entry.tags, details.tags),
      duration: firstNumber(entry.duration, details.duration),
    }
  })
}

/** Providers nest the URL of a video at different depths. */
const MAX_DEPTH = 4

/** The URL of the video; null if the provider serves it by another request. */
export function videoIn(data: unknown, depth = 0): string | null {
  if (typeof data !== 'object' || data === null || depth > MAX_DEPTH) return null
  const named = isRecord(data) ? (mediaAddress(data.video_url) ?? mediaAddress(data.url)) : null
  if (named !== null) return named
  for (const value of Object.values(data)) {
    const found = videoIn(value, depth + 1)
    if (found !== null) return found
  }
  return null
}

/** Songs and video that can be played. */
export function mediaOf({ platform, data }: Pick<MediaTask, 'platform' | 'data'>): {
  songs: Song[]
  video: string | null
} {
  return platform === 'video' ? { songs: [], video: videoIn(data) } : { songs: songsIn(data), video: null }
}

/** A finished video without a URL. Its owner can fetch it with an API token. */
export function isStoredVideo(task: Pick<MediaTask, 'platform' | 'status' | 'task_id' | 'data'>): boolean {
  const isDone = task.platform === 'video' && task.status === 'SUCCESS' && task.task_id !== ''
  return isDone && mediaOf(task).video === null
}

/** The title of the first song, or the title or prompt that was requested; blank if there is none. */
export function titleOf(task: Pick<MediaTask, 'platform' | 'data' | 'properties'>): string {
  return firstText(mediaOf(task).songs[0]?.title, task.properties['title'], task.properties['prompt'])
}

/** The requested length in seconds and size of a video; blank where the request names none. */
export function videoFormatOf({ platform, properties }: Pick<MediaTask, 'platform' | 'properties'>) {
  if (platform !== 'video') return { seconds: '', size: '' }
  return { seconds: String(firstNumber(properties['seconds']) ?? ''), size: firstText(properties['size']) }
}

/** The provider has sent data. */
export function hasData(data: unknown): boolean {
  if (typeof data === 'object' && data !== null) return Object.keys(data).length > 0
  return data !== null && data !== undefined && data !== ''
}

/** The input and the last data of the provider as JSON. */
export function rawData({ properties, data }: Pick<MediaTask, 'properties' | 'data'>): string {
  return JSON.stringify(Object.keys(properties).length > 0 ? { properties, data } : data, null, 2)
}

function firstText(...values: unknown[]): string {
  return values.find((value) => typeof value === 'string' && value !== '')?.toString() ?? ''
}

function firstNumber(...values: unknown[]): number | null {
  const found = values.map(Number).find((value, index) => values[index] !== null && Number.isFinite(value) && value > 0)
  return found ?? null
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
