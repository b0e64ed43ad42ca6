import { randomInt } from 'node:crypto'
import { BASE62 } from '@tidegate/contract'

/** Random letters and digits. */
export function randomText(length: number): string {
  return Array.from({ length }, () => BASE62[randomInt(BASE62.length)]).join('')
}
