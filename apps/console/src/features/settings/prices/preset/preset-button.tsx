import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { toast } from '../../../../lib/toast.ts'
import { Button } from '../../../../ui/kit/index.ts'
import type { PriceDraft } from '../use-price-draft.ts'
import { PresetDialog } from './preset-dialog.tsx'

interface Props {
  draft: PriceDraft
  onFilled(): void
}

/** Opens the price lists; what is taken from them goes into the draft, where it can be looked over. */
export function PresetButton({ draft, onFilled }: Props) {
  const { t } = useTranslation('settings')
  const [isOpen, setIsOpen] = useState(false)
  return (
    <>
      <Button onClick={() => setIsOpen(true)}>{t('prices.preset.open')}</Button>
      <PresetDialog
        open={isOpen}
        draft={draft}
        onClose={() => setIsOpen(false)}
        onApply={(rows) => {
          draft.enter(rows.map(({ name, after }) => [name, after]))
          setIsOpen(false)
          toast.success(t('prices.preset.applied', { count: rows.length }))
          onFilled()
        }}
      />
    </>
  )
}
