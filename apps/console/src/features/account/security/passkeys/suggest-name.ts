import type { Device } from '../read-user-agent.ts'

/** A name by which the owner will know this device again, unlike those that are taken. */
export function suggestName({ browser, system }: Device, taken: readonly string[], fallback: string): string {
  const base = [browser, system].filter((part) => part !== null).join(' · ') || fallback
  const names = [base, ...Array.from(taken, (_, index) => `${base} ${index + 2}`)]
  return names.find((name) => !taken.includes(name)) ?? base
}
