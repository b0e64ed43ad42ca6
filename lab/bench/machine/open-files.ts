import { readFileSync } from 'node:fs'

/** The most files a process may have open here, from `/proc/self/limits`. */
export function parseOpenFileLimit(text: string): number {
  const hard = /^Max open files\s+\S+\s+(\S+)/m.exec(text)?.[1]
  return hard === undefined || hard === 'unlimited' ? Infinity : Number(hard)
}

/** A relayed stream takes two connections; some files are needed for everything else. */
export function mostStreams(limit = parseOpenFileLimit(readFileSync('/proc/self/limits', 'utf8'))): number {
  return Math.floor((limit - 200) / 2)
}
