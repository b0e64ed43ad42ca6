import type { ProcessReadiness, ReadinessReport } from '../http/health.ts'
import type { RunningProcess, Slot, Supervisor } from './supervisor.ts'

const REPLY_LIMIT_MS = 2_500

/** The family is ready while at least one gateway is. The problems name the slots that are not. */
export async function readFamilyReadiness({
  slots,
  isStopping,
  isFailing,
}: Pick<Supervisor, 'slots' | 'isStopping' | 'isFailing'>): Promise<ReadinessReport> {
  if (isStopping()) return { isReady: false, problems: ['stopping'], degraded: [] }
  const states = await Promise.all(
    slots.map(async (slot) => {
      const { problems, degraded } = await readinessOf(slot.current)
      const all = isFailing(slot) ? [...problems, 'crashed five times within a minute'] : problems
      return { member: slot.member, problems: all, degraded }
    }),
  )
  return {
    isReady: states.some(({ member, problems }) => member.roles.includes('gateway') && problems.length === 0),
    problems: states.flatMap(({ member, problems }) => problems.map((problem) => `${member.slot}: ${problem}`)),
    degraded: [...new Set(states.flatMap(({ degraded }) => degraded))],
  }
}

async function readinessOf(process: Slot['current']): Promise<ProcessReadiness> {
  if (!process?.isReady) return { problems: ['is starting'], degraded: [] }
  return await request(process).catch(() => ({ problems: ['does not respond'], degraded: [] }))
}

const request = (process: RunningProcess) => process.request<ProcessReadiness>('readiness', undefined, REPLY_LIMIT_MS)
