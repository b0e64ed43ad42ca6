import type { HostileAddress } from './hostile-addresses.ts'

const AT_ONCE = 8

/** Tries every address, and gives those that something else became of than expected. */
export async function surprises<Result>(
  addresses: readonly HostileAddress[],
  attempt: (url: string) => Promise<Result>,
  isExpected: (result: Result) => boolean,
): Promise<{ name: string; result: Result }[]> {
  const found: { name: string; result: Result }[] = []
  const waiting = [...addresses]
  const tryInTurn = async () => {
    for (let next = waiting.pop(); next; next = waiting.pop()) {
      const result = await attempt(next.url)
      if (!isExpected(result)) found.push({ name: next.name, result })
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, tryInTurn))
  return found
}
