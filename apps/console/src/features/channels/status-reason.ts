/** Why and when a channel was disabled by itself, as far as its record says. */
export function statusReason(otherInfo: string): { reason: string; time: number } {
  const info = parse(otherInfo)
  return {
    reason: typeof info.status_reason === 'string' ? info.status_reason : '',
    time: typeof info.status_time === 'number' ? info.status_time : 0,
  }
}

export interface UsageWarning {
  time: number
  model: string
  reported: number
  counted: number
}

/** The last usage that the provider reported and that its model cannot have used. Old warnings say nothing any more. */
export function usageWarning(otherInfo: string, now = Date.now() / 1000): UsageWarning | undefined {
  const warning = parse(otherInfo).usage_warning as Partial<UsageWarning> | undefined
  const { time, model, reported, counted } = warning ?? {}
  if (typeof time !== 'number' || typeof model !== 'string') return undefined
  if (typeof reported !== 'number' || typeof counted !== 'number' || now - time > WARNING_SECONDS) return undefined
  return { time, model, reported, counted }
}

const WARNING_SECONDS = 7 * 24 * 3600

function parse(otherInfo: string): Record<string, unknown> {
  try {
    return (JSON.parse(otherInfo) as Record<string, unknown> | null) ?? {}
  } catch {
    return {}
  }
}
