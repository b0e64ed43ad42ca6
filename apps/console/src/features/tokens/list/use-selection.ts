import type { ApiToken } from '@tidegate/contract/api'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Ticks } from '../../../ui/ticks.ts'

/** Tokens that are ticked, whatever page they are on; what to copy is known even when its page is not shown. */
export function useSelection(shown: readonly ApiToken[] | undefined) {
  const { t } = useTranslation('tokens')
  /** Null while there are no boxes to tick. */
  const [ticked, setTicked] = useState<ReadonlyMap<number, ApiToken> | null>(null)
  const known = new Map([...(ticked ?? []), ...(shown ?? []).map((token) => [token.id, token] as const)])
  const select = (ids: Iterable<number>) =>
    setTicked(new Map([...ids].flatMap((id) => (known.has(id) ? [[id, known.get(id)!]] : []))))

  const ids: ReadonlySet<number> = new Set(ticked?.keys())
  const ticks: Ticks<ApiToken> | undefined = ticked
    ? { ids, idsOf: ({ id }) => [id], labelOf: ({ name }) => t('tick', { name }), onChange: select }
    : undefined
  return {
    isOn: ticked !== null,
    ticks,
    tokens: [...ids].map((id) => known.get(id)!),
    start: () => setTicked(new Map()),
    leave: () => setTicked(null),
    clear: () => select([]),
    selectShown: () => select([...ids, ...(shown ?? []).map(({ id }) => id)]),
    /** A token that is gone can no longer be ticked. */
    drop: (gone: number) => ticked && select([...ids].filter((id) => id !== gone)),
  }
}

export type Selection = ReturnType<typeof useSelection>
