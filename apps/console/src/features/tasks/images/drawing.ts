import type { DrawingTask } from '@tidegate/contract/api'
import { mediaAddress } from '../media-address.ts'
import { isOpen } from '../task-status.tsx'

/** Which part of a drawing is looked at closely. */
export interface ShownPart {
  drawing: DrawingTask
  part: 'image' | TextPart
}

const TEXT_OF = { prompt: 'prompt', promptEn: 'prompt_en', reason: 'fail_reason' } as const
export type TextPart = keyof typeof TEXT_OF

export const textOf = (drawing: DrawingTask, part: TextPart): string => drawing[TEXT_OF[part]]

/** From the order to the end; null while there is none. */
export function durationOf({ submit_time: from, finish_time: to }: DrawingTask): number | null {
  return to > 0 && from > 0 ? Math.max(to - from, 0) : null
}

/** What a drawing is called where there is room for a name only. */
export const nameOf = ({ mj_id, id }: Pick<DrawingTask, 'mj_id' | 'id'>): string => mj_id || `#${id}`

/** Where the picture is. One that is still being drawn looks different every time, and a browser would keep the first. */
export function pictureOf(drawing: DrawingTask): string | null {
  const address = mediaAddress(drawing.image_url)
  if (address === null || !isOpen(drawing) || !address.includes('/mj/image/')) return address
  return `${address}${address.includes('?') ? '&' : '?'}at=${encodeURIComponent(drawing.progress)}`
}
