import type { MediaTask } from '@tidegate/contract/api'
import { mediaAddress } from '../media-address.ts'

export interface Song {
  audio: string
  cover: string | null
  title: string
  /** What kind of music it is, in the words of the vendor. */
  tags: string
  /** Seconds; null where the vendor does not say. */
  duration: number | null
}

/** The songs that a vendor has told of: a list of them, or the only one. */
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

/** Vendors put the address of a video at different depths, but not very deep. */
const MAX_DEPTH = 4

/** Where the video is; null where the vendor keeps it behind a call of its own. */
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

/** What can be played of a task. */
export function mediaOf({ platform, data }: Pick<MediaTask, 'platform' | 'data'>): {
  songs: Song[]
  video: string | null
} {
  return platform === 'video' ? { songs: [], video: videoIn(data) } : { songs: songsIn(data), video: null }
}

/** A vendor that has said nothing yet has nothing to show. */
export function hasData(data: unknown): boolean {
  if (typeof data === 'object' && data !== null) return Object.keys(data).length > 0
  return data !== null && data !== undefined && data !== ''
}

/** Whether there is anything to say of what came of a task. */
export function hasOutcome(task: Pick<MediaTask, 'data' | 'fail_reason'>): boolean {
  return task.fail_reason !== '' || hasData(task.data)
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
