import { randomInt } from 'node:crypto'
import { ApiError, type api } from '@tidegate/contract'
import { checkUsername } from '../password/account-rules.ts'

const LONGEST = 12
const FOLLOWING_NUMBERS = 5
const RANDOM_TRIES = 10

/**
 * Names to try for somebody new, best first: their own where our rules allow it, then the service with the number after
 * the last user's, then, with many registering at once or numbers too long for a name, the service with random signs.
 */
export function* usernamesFor(
  service: api.SignInServiceName,
  { preferred = '', highestId }: { preferred?: string | undefined; highestId: number },
): Generator<string> {
  const own = ownName(preferred)
  if (own !== undefined) yield own
  for (let number = highestId + 1; number <= highestId + FOLLOWING_NUMBERS; number += 1) {
    const name = `${service}_${number}`
    if (name.length <= LONGEST) yield name
  }
  for (let attempt = 0; attempt < RANDOM_TRIES; attempt += 1) yield `${service}_${randomSigns(service)}`
}

/** An address becomes what is before its @. Names of the site itself and of services are not to be had this way. */
function ownName(preferred: string): string | undefined {
  const visible = preferred
    .normalize('NFC')
    .replace(/@.*$/su, '')
    .replace(/[\p{C}\s]/gu, '')
  const short = [...visible].slice(0, LONGEST).join('')
  try {
    return checkUsername(short)
  } catch (error) {
    if (error instanceof ApiError) return undefined
    throw error
  }
}

function randomSigns(service: string): string {
  const signs = 'abcdefghijkmnpqrstuvwxyz23456789'
  return Array.from({ length: LONGEST - service.length - 1 }, () => signs[randomInt(signs.length)]).join('')
}
