import type { MediaTask } from '@tidegate/contract/api'

/** What of a task is looked at closely. */
export interface ShownPart {
  task: MediaTask
  part: 'songs' | 'video' | 'reason' | 'data'
}

/** From the order to the end, in milliseconds; null while there is none. */
export function durationOf({ submit_time: from, finish_time: to }: MediaTask): number | null {
  return to > 0 && from > 0 ? Math.max(to - from, 0) * 1000 : null
}

export const nameOf = ({ task_id, id }: Pick<MediaTask, 'task_id' | 'id'>): string => task_id || `#${id}`

/** What was asked for and what the vendor said last, as it came. */
export function rawData({ properties, data }: Pick<MediaTask, 'properties' | 'data'>): string {
  return JSON.stringify(Object.keys(properties).length > 0 ? { properties, data } : data, null, 2)
}
