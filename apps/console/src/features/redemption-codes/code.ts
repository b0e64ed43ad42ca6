import { REDEMPTION_STATUS, UNLIMITED_USES, type Redemption } from '@tidegate/contract/api'

export type CodeState = 'unused' | 'open' | 'notYet' | 'expired' | 'usedUp' | 'disabled' | 'used' | 'unknown'

type StateFields = Pick<Redemption, 'status' | 'is_gift' | 'max_uses' | 'used_count' | 'valid_from' | 'valid_until'>

/** The displayed status of a code, which also depends on its uses and its validity. */
export function stateOf(code: StateFields, now = Date.now() / 1000): CodeState {
  if (isUsedUpGift(code)) return 'usedUp'
  switch (code.status) {
    case REDEMPTION_STATUS.disabled:
      return 'disabled'
    case REDEMPTION_STATUS.used:
      return 'used'
    case REDEMPTION_STATUS.unused:
      if (code.valid_until !== 0 && code.valid_until <= now) return 'expired'
      if (code.valid_from > now) return 'notYet'
      return code.is_gift ? 'open' : 'unused'
    default:
      return 'unknown'
  }
}

/** Disabled or used up. An expired code is not out of use, because its validity can be changed. */
export const isOutOfUse = (code: StateFields): boolean => code.status !== REDEMPTION_STATUS.unused || isUsedUpGift(code)

function isUsedUpGift({ is_gift: isGift, max_uses: most, used_count: uses }: StateFields): boolean {
  return isGift && most !== UNLIMITED_USES && uses >= most
}

/** `Spring #12`: codes of one batch have the same name. */
export const titleOf = ({ name, id }: Pick<Redemption, 'name' | 'id'>): string => `${name} #${id}`

/** Name and code, one code per line. */
export const linesOf = (codes: readonly Pick<Redemption, 'name' | 'key'>[]): string =>
  codes.map(({ name, key }) => `${name}    ${key}`).join('\n')

/** Enough to distinguish codes, too little to redeem one from a shared screen. */
export function maskKey(key: string): string {
  const characters = [...key]
  const shown = characters.length >= 16 ? 4 : characters.length >= 8 ? 2 : 0
  return `${characters.slice(0, shown).join('')}••••••${characters.slice(characters.length - shown).join('')}`
}

/** Name of a file of codes. Characters that file names cannot contain become underscores. */
export const fileNameOf = (name: string): string => `${name.replaceAll(/[\\/:*?"<>|\p{C}]/gu, '_')}.txt`
