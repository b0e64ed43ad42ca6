import { TASK_STATUSES } from '@tidegate/contract/api'
import { AT_ANY_TIME, boundsOf, type Bounds, type RangeName, type TimeRange } from '../../lib/time-range.ts'
import {
  choiceFilter,
  defineFilters,
  numberFilter,
  rangeFilter,
  textFilter,
  type FilterKind,
  type FilterValues,
} from '../../ui/filters/define-filters.ts'

export const PLATFORMS = ['suno', 'video'] as const
export type Platform = (typeof PLATFORMS)[number]

/** Tasks that are being submitted have no status to filter by, and only image tasks wait for input. */
export const MEDIA_STATUSES = TASK_STATUSES.filter((status) => status !== '' && status !== 'MODAL')

/** The default range of each list. */
const USUAL_RANGE = { images: 'month', media: 'today' } as const satisfies Record<string, RangeName>

/** Ignores the channel in a link from an administrator. */
const noChannel: FilterKind<number | null> = { ...numberFilter(), read: () => null }

const imageSchema = (channel: FilterKind<number | null>) =>
  defineFilters({ task: textFilter(), channel, range: rangeFilter(USUAL_RANGE.images) })

const mediaSchema = (channel: FilterKind<number | null>) =>
  defineFilters({
    task: textFilter(),
    platform: choiceFilter(PLATFORMS),
    status: choiceFilter(MEDIA_STATUSES),
    channel,
    range: rangeFilter(USUAL_RANGE.media),
  })

/** Administrators list the tasks of all users, other users their own. */
export const imageFilters = { all: imageSchema(numberFilter()), own: imageSchema(noChannel) }
export const mediaFilters = { all: mediaSchema(numberFilter()), own: mediaSchema(noChannel) }

/** Parameters of the API, with times in milliseconds. */
export function imageQueryOf(filters: FilterValues<typeof imageFilters.all>): Record<string, string | number> {
  const { task, channel } = filters
  const { start, end } = boundsFor(filters, USUAL_RANGE.images)
  return {
    ...(task && { mj_id: task }),
    ...(channel !== null && { channel_id: channel }),
    ...(start !== null && { start_timestamp: start * 1000 }),
    ...(end !== null && { end_timestamp: end * 1000 + 999 }),
  }
}

/** Parameters of the API, with times in seconds. */
export function mediaQueryOf(filters: FilterValues<typeof mediaFilters.all>, now = new Date()) {
  const { task, platform, status, channel } = filters
  const { start, end } = boundsFor(filters, USUAL_RANGE.media, now)
  return {
    ...(task && { task_id: task }),
    ...(platform && { platform }),
    ...(status && { status }),
    ...(channel !== null && { channel_id: channel }),
    ...(start !== null && { start_timestamp: start }),
    ...(end !== null && { end_timestamp: end }),
  }
}

/** An ID finds a task of any time, unless a range is chosen too. */
function boundsFor({ task, range }: { task: string; range: TimeRange }, usual: RangeName, now = new Date()): Bounds {
  return task && range.range === usual ? AT_ANY_TIME : boundsOf(range, now)
}
