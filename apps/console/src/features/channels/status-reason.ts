/** Why and when a channel was disabled by itself, as far as its record says. */
export function statusReason(otherInfo: string): { reason: string; time: number } {
  try {
    const info = JSON.parse(otherInfo) as { status_reason?: unknown; status_time?: unknown } | null
    return {
      reason: typeof info?.status_reason === 'string' ? info.status_reason : '',
      time: typeof info?.status_time === 'number' ? info.status_time : 0,
    }
  } catch {
    return { reason: '', time: 0 }
  }
}
