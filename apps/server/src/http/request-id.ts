import { randomFillSync } from 'node:crypto'

/** 64 characters, so that 6 bits of a random byte select one. */
const CHARACTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789xx'
const LENGTH = 8
const pool = Buffer.alloc(LENGTH * 512)
let used = pool.length

/** Fetches random bytes in bulk: a few bytes cost as much as thousands. */
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

/** Starts with the time, so that ids sort by time, followed by the cell and eight random characters. */
export function newRequestId(cell: string, milliseconds = Date.now()): string {
  const second = Math.floor(milliseconds / 1000)
  if (second !== cachedSecond.second) {
    cachedSecond = { second, text: new Date(second * 1000).toISOString().slice(0, 19).replace(/\D/g, '') }
  }
  return cachedSecond.text + String(milliseconds - second * 1000).padStart(3, '0') + cell + randomText()
}
