import { useCallback, useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useIsPhone } from '../../../lib/use-media.ts'
import { Tabs } from '../../../ui/kit/index.ts'
import { useConfirmDiscard } from '../../../ui/unsaved-guard.tsx'
import { SectionForm } from '../form/section-form.tsx'
import type { KnownField } from '../option-values.ts'
import type { Options } from '../queries.ts'
import type { SectionId } from '../sections/index.ts'
import { PriceEditor } from './list/price-editor.tsx'
import styles from './prices.module.css'
import { UnsetList } from './unset/unset-list.tsx'
import { usePlace, VIEWS, type View } from './use-place.ts'
import { usePriceDraft } from './use-price-draft.ts'

interface Props {
  fields: readonly KnownField[]
  options: Options
  onUnsaved(id: SectionId, isUnsaved: boolean): void
}

/**
 * What models cost, as text or as a list. The two lists share what was entered; text and lists do not, since either would
 * overwrite the other: going from one to the other with changes asks first.
 */
export function PricesSection({ fields, options, onUnsaved }: Props) {
  const { t } = useTranslation('settings')
  const confirmDiscard = useConfirmDiscard()
  const isPhone = useIsPhone()
  const place = usePlace()
  const draft = usePriceDraft(options.texts)
  const [isTextUnsaved, setIsTextUnsaved] = useState(false)
  /** Counts texts that were given up, after which the fields begin anew. */
  const [texts, setTexts] = useState(0)
  const isUnsaved = isTextUnsaved || draft.count > 0
  useEffect(() => {
    onUnsaved('prices', isUnsaved)
    return () => onUnsaved('prices', false)
  }, [isUnsaved, onUnsaved])

  const onTextUnsaved = useCallback((_: SectionId, isTextNow: boolean) => setIsTextUnsaved(isTextNow), [])
  const turnTo = (next: View) => {
    const losesText = place.view === 'json' && isTextUnsaved
    const losesDraft = next === 'json' && draft.count > 0
    if (!losesText && !losesDraft) return place.turnTo(next)
    confirmDiscard({
      onDiscard: () => {
        if (losesText) setTexts(texts + 1)
        if (losesDraft) draft.clear()
        place.turnTo(next)
      },
    })
  }
  const views = {
    json: <SectionForm key={texts} id="prices" fields={fields} options={options} onUnsaved={onTextUnsaved} />,
    visual: <PriceEditor draft={draft} options={options} place={place} />,
    unset: <UnsetList draft={draft} texts={options.texts} place={place} />,
  }
  return (
    <Tabs
      className={styles.views}
      size="small"
      tabBarGutter={isPhone ? 16 : 32}
      activeKey={place.view}
      onChange={(view) => turnTo(view as View)}
      items={VIEWS.map((view) => ({
        key: view,
        label: t(`prices.views.${view}`),
        children: views[view],
        destroyOnHidden: view !== 'json',
      }))}
    />
  )
}
