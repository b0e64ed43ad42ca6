import { setTimeout as delay } from 'node:timers/promises'
import type { OptionKey } from '@tidegate/contract'
import { expect } from 'vitest'
import type { Effect } from './effect.ts'
import type { EffectSite } from './effect-site.ts'

/** Far longer than a change takes to reach every node on a busy machine. */
const LIMIT_MS = 15_000
const POLL_INTERVAL_MS = 20

/** Sets an option on one node, checks its effect on the other, and restores everything. */
export async function checkEffect(site: EffectSite, key: OptionKey, effect: Effect): Promise<void> {
  const { given = {}, value, before, after } = effect
  const expected = Object.entries(typeof given === 'function' ? given(site) : given) as [OptionKey, string][]
  const changed: OptionKey[] = []
  const set = async (name: OptionKey, text: string) => {
    if (!changed.includes(name)) changed.unshift(name) // in reverse order: a switch depends on what was set before it
    await site.set(name, text)
  }
  const probe = () => effect.probe(site)
  expect(after, 'an effect makes a difference').not.toEqual(before)
  try {
    for (const [name, text] of expected) await set(name, text)
    await untilChanged(probe, before)
    await set(key, typeof value === 'function' ? value(site) : value)
    await untilChanged(probe, after)
  } finally {
    for (const name of changed) await site.restore(name)
  }
}

/** A failing probe may be too early: the option of the previous test may still apply on the other node. */
async function untilChanged(probe: () => Promise<unknown>, expected: unknown): Promise<void> {
  const changedAt = performance.now()
  for (;;) {
    const isLast = performance.now() - changedAt > LIMIT_MS
    try {
      expect(await probe()).toEqual(expected)
      return
    } catch (difference) {
      if (isLast) throw difference
    }
    await delay(POLL_INTERVAL_MS)
  }
}
