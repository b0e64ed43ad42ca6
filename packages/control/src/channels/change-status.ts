import { api } from '@tidegate/contract'
import { abilities, channelKeys, channels, jsonText, type Db } from '@tidegate/storage'

type OtherInfo = Record<string, unknown>

export interface StatusRow {
  id: number
  status: number
  other_info: OtherInfo
}

/**
 * Puts channels into use or out of it, as people do, and answers which were not so already. Enabling forgets why they
 * went out of use by themselves, and tries their keys again.
 */
export async function changeStatus(
  transaction: Db,
  rows: readonly StatusRow[],
  status: typeof api.CHANNEL_STATUS.enabled | typeof api.CHANNEL_STATUS.disabled,
  at: Date,
): Promise<number[]> {
  const changed = rows.filter((row) => row.status !== status)
  const ids = changed.map(({ id }) => id)
  if (status === api.CHANNEL_STATUS.enabled) {
    for (const row of changed) await writeStatus(transaction, row, status, withoutReason(row.other_info))
    await channelKeys.restore(transaction, ids, at)
  } else {
    await channels.update(transaction, ids, { status })
    await abilities.rebuild(transaction, ids)
  }
  return ids
}

/** The status of one channel, what is told about it, and its abilities: always together. */
export async function writeStatus(
  transaction: Db,
  { id }: Pick<StatusRow, 'id'>,
  status: number,
  other_info: OtherInfo,
): Promise<void> {
  await channels.update(transaction, [id], { status, other_info: jsonText(other_info) })
  await abilities.rebuild(transaction, [id])
}

export function withReason(info: OtherInfo, reason: string, at: Date): OtherInfo {
  return { ...info, status_reason: reason, status_time: Math.floor(at.getTime() / 1000) }
}

export function withoutReason({ status_reason: _reason, status_time: _time, ...info }: OtherInfo): OtherInfo {
  return info
}
