import { randomFillSync } from 'node:crypto'

/** Of 64, so that a byte picks each as often as any other. */
const CHARACTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789xx'
const LENGTH = 8
const pool = Buffer.alloc(LENGTH * 512)
let used = pool.length

/** Many at once: asking for a few bytes costs as much as asking for thousands. */
function randomText(): string {
  if (used === pool.length) {
    randomFillSync(pool)
    used = 0
  }
  let text = ''
  for (const end = used + LENGTH; used < end; used += 1) text += CHARACTERS[pool[used]! & 63]!
  return text
}

let cachedSecond = { second: 0, text: '' }

/** Time first, so that ids sort and tell when; then eight random characters. */
export function newRequestId(milliseconds = Date.now()): string {
  const second = Math.floor(milliseconds / 1000)
  if (second !== cachedSecond.second) {
    cachedSecond = { second, text: new Date(second * 1000).toISOString().slice(0, 19).replace(/\D/g, '') }
  }
  return cachedSecond.text + String(milliseconds - second * 1000).padStart(3, '0') + randomText()
}
