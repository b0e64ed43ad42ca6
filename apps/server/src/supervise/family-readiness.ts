import type { ReadinessReport } from '../http/health.ts'
import type { RunningProcess, Slot, Supervisor } from './supervisor.ts'

const REPLY_LIMIT_MS = 2_500

/** The family is ready while at least one gateway is. The problems name the slots that are not. */
export async function readFamilyReadiness({
  slots,
  isStopping,
  isFailing,
}: Pick<Supervisor, 'slots' | 'isStopping' | 'isFailing'>): Promise<ReadinessReport> {
  if (isStopping()) return { isReady: false, problems: ['stopping'] }
  const states = await Promise.all(
    slots.map(async (slot) => {
      const problems = await problemsOf(slot.current)
      if (isFailing(slot)) problems.push('crashed five times within a minute')
      return { member: slot.member, problems }
    }),
  )
  return {
    isReady: states.some(({ member, problems }) => member.roles.includes('gateway') && problems.length === 0),
    problems: states.flatMap(({ member, problems }) => problems.map((problem) => `${member.slot}: ${problem}`)),
  }
}

async function problemsOf(process: Slot['current']): Promise<string[]> {
  if (!process?.isReady) return ['is starting']
  return await request(process).catch(() => ['does not respond'])
}

const request = (process: RunningProcess) => process.request<string[]>('problems', undefined, REPLY_LIMIT_MS)
