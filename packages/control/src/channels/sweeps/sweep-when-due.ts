import { channelSweeps } from '@tidegate/storage'
import type { Deps } from '../../deps.ts'
import { planBalances } from './sweep-balances.ts'
import { planTests } from './sweep-plans.ts'
import { runSweep, type SweepItem, type SweepKind, type SweepPlan } from './sweep.ts'

type DueDeps = Pick<Deps, 'db' | 'vault' | 'catalog' | 'catchUp' | 'log' | 'now' | 'probe' | 'upstream'>

const MINUTE_MS = 60_000

/**
 * Goes over all channels when the last time, whoever asked for it, was so many minutes ago. Its row remembers that, so a
 * restart neither repeats a sweep nor puts it off. False when there was nothing to do.
 */
export async function sweepWhenDue(
  deps: DueDeps,
  { kind, everyMinutes }: { kind: SweepKind; everyMinutes: number },
  stopping: AbortSignal,
): Promise<boolean> {
  const last = await channelSweeps.find(deps.db, kind)
  if (last && (last.running || deps.now().getTime() - last.started_at.getTime() < everyMinutes * MINUTE_MS))
    return false
  if (kind === 'test') return deps.probe !== undefined && runSweep(deps, quietly(planTests(deps)), stopping)
  return deps.upstream !== undefined && runSweep(deps, planBalances(deps), stopping)
}

/** Nobody waits for it to end: a message each time would bury those about channels that it put out of use. */
function quietly<Item extends SweepItem>({ kind, items, visit }: SweepPlan<Item>): SweepPlan<Item> {
  return { kind, items, visit }
}
