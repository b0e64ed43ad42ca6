import type { Redemption } from '@tidegate/contract/api'

/** `Spring #12`: codes of one batch share their name. */
export const titleOf = ({ name, id }: Pick<Redemption, 'name' | 'id'>): string => `${name} #${id}`

/** Name and key, a code per line. */
export const linesOf = (coupons: readonly Pick<Redemption, 'name' | 'key'>[]): string =>
  coupons.map(({ name, key }) => `${name}    ${key}`).join('\n')

/** Enough to tell codes apart, too little to use one: people share their screens. */
export function maskKey(key: string): string {
  const signs = [...key]
  const shown = signs.length >= 16 ? 4 : signs.length >= 8 ? 2 : 0
  return `${signs.slice(0, shown).join('')}••••••${signs.slice(signs.length - shown).join('')}`
}

/** What a file of keys is called. Signs that no file name may hold become underscores. */
export const fileNameOf = (name: string): string => `${name.replaceAll(/[\\/:*?"<>|\p{C}]/gu, '_')}.txt`
