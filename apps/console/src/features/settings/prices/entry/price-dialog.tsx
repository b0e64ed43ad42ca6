import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Form, Modal } from '../../../../ui/kit/index.ts'
import { useLast } from '../../../../ui/use-last.ts'
import type { Prices } from '../price-list.ts'
import type { PriceDraft } from '../use-price-draft.ts'
import styles from '../prices.module.css'
import { EntryForm, type Basis } from './entry-form.tsx'

/** What is to be priced: a model that has a row, several, or one whose name is still to be told. */
export type Target =
  | { kind: 'new' }
  | { kind: 'one'; name: string; prices: Prices }
  | { kind: 'many'; names: readonly string[] }

interface Props {
  target: Target | null
  draft: PriceDraft
  onClose(): void
}

/** Sets the price of one or several models in the draft; nothing is saved yet. */
export function PriceDialog({ target, draft, onClose }: Props) {
  const { t } = useTranslation('settings')
  const { t: common } = useTranslation()
  const [form] = Form.useForm()
  const shown = useLast(target)
  /** What was chosen in this opening of the dialog. */
  const [choice, setChoice] = useState<{ of: Target; basis: Basis } | null>(null)
  const stored = shown?.kind === 'one' && shown.prices.card ? 'rates' : 'ratios'
  const basis = choice !== null && choice.of === shown ? choice.basis : stored
  return (
    <Modal
      title={shown && titleOf(shown)}
      open={target !== null}
      onCancel={onClose}
      onOk={form.submit}
      okText={t('prices.entry.apply')}
      cancelText={common('cancel')}
      destroyOnHidden
      width={basis === 'rates' ? 860 : 560}
      {...(basis === 'rates' && { className: styles.cardDialog })}
    >
      {shown && (
        <EntryForm
          form={form}
          target={shown}
          draft={draft}
          basis={basis}
          onBasis={(next) => setChoice({ of: shown, basis: next })}
          onDone={onClose}
        />
      )}
    </Modal>
  )

  function titleOf(of: Target): string {
    if (of.kind === 'new') return t('prices.entry.addTitle')
    if (of.kind === 'one') return t('prices.entry.editTitle', { name: of.name })
    return t('prices.entry.batchTitle', { count: of.names.length })
  }
}
