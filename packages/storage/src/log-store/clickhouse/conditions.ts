import { fromSeconds, type LogCursor, type LogFilters } from '../log-store.ts'
import { ch, join, raw, type Fragment } from './query.ts'

/** The condition of all filters. A type or channel of 0 does not filter. */
export function whereOf(filters: LogFilters, ...further: Fragment[]): Fragment {
  return join([raw('1'), ...conditions(filters), ...further], ' and ')
}

function conditions(filters: LogFilters): Fragment[] {
  const { userId, type, tokenId, token_name, models, group, request_id, channel } = filters
  const { start_timestamp: start, end_timestamp: end, isStream, retried, minDurationMs } = filters
  return [
    userId === undefined ? undefined : ch`user_id = ${userId}`,
    filters.userIds && ch`user_id in ${filters.userIds}`,
    type ? ch`type = ${type}` : undefined,
    filters.types && ch`type in ${filters.types}`,
    tokenId === undefined ? undefined : ch`token_id = ${tokenId}`,
    token_name === undefined ? undefined : ch`token_name = ${token_name}`,
    models && ch`model_name in ${models}`,
    group === undefined ? undefined : ch`\`group\` = ${group}`,
    request_id === undefined ? undefined : ch`request_id = ${request_id}`,
    channel ? ch`channel_id = ${channel}` : undefined,
    filters.channels && ch`channel_id in ${filters.channels}`,
    filters.uncovered ? raw('is_uncovered') : undefined,
    filters.statuses && ch`status in ${filters.statuses}`,
    filters.errorCodes && ch`type = 6 and error_code in ${filters.errorCodes}`,
    isStream === undefined ? undefined : raw(isStream ? 'is_stream' : 'not is_stream'),
    retried === undefined ? undefined : raw(retried ? 'is_retried' : 'not is_retried'),
    minDurationMs ? ch`use_time_ms >= ${minDurationMs}` : undefined,
    start ? since(fromSeconds(start)) : undefined,
    end ? before(fromSeconds(end + 1)) : undefined,
  ].filter((condition) => condition !== undefined)
}

export function since(time: Date): Fragment {
  return ch`created_at >= fromUnixTimestamp64Micro(${time.getTime() * 1000}, 'UTC')`
}

export function before(time: Date): Fragment {
  return ch`created_at < fromUnixTimestamp64Micro(${time.getTime() * 1000}, 'UTC')`
}

/** Rows older than a cursor. */
export function afterCursor({ exactly, id }: LogCursor): Fragment {
  const at = toMicroseconds(exactly)
  const moment = ch`fromUnixTimestamp64Micro(${at}, 'UTC')`
  return ch`created_at <= ${moment} and (created_at, id) < (${moment}, ${id})`
}

/** A text in UTC with microseconds, as cursors have it. */
export function toMicroseconds(exactly: string): number {
  return Date.parse(`${exactly.slice(0, 23)}Z`) * 1000 + Number(exactly.slice(23, 26))
}

export function toExactly(microseconds: number): string {
  const text = new Date(Math.floor(microseconds / 1000)).toISOString()
  return `${text.slice(0, 23)}${String(microseconds % 1000).padStart(3, '0')}Z`
}
