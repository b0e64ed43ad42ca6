import { PRICE_SOURCES, type PriceSource } from '@tidegate/contract/api'
import { useQuery } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { toast } from '../../../../lib/toast.ts'
import { ErrorState } from '../../../../ui/error-state.tsx'
import { Button, Modal, Radio } from '../../../../ui/kit/index.ts'
import type { PriceList } from '../price-list.ts'
import styles from '../prices.module.css'
import { enabledModelsQuery, pricePresetQuery } from '../queries.ts'
import { priceNameOf } from '../unset-models.ts'
import type { PriceDraft } from '../use-price-draft.ts'
import { DiffList } from './diff-list.tsx'
import { presetDiff, type DiffRow } from './preset-diff.ts'

interface Props {
  open: boolean
  draft: PriceDraft
  onClose(): void
  onApply(rows: DiffRow[]): void
}

/** Price lists that come with the product, as what they would change. */
export function PresetDialog({ open, draft, onClose, onApply }: Props) {
  const { t } = useTranslation('settings')
  const { t: common } = useTranslation()
  const [source, setSource] = useState<PriceSource>('flexible')
  /** What is ticked, told by the list. */
  const [chosen, setChosen] = useState<DiffRow[]>([])
  const preset = useQuery({ ...pricePresetQuery(source), enabled: open })
  const enabled = useQuery({ ...enabledModelsQuery, enabled: open })
  const offered = useMemo(() => enabled.data && new Set(enabled.data.map(priceNameOf)), [enabled.data])
  const now = useMemo(
    (): PriceList =>
      new Map(draft.rows.filter(({ state }) => state !== 'removed').map(({ name, prices }) => [name, prices])),
    [draft.rows],
  )
  const diff = useMemo(() => preset.data && presetDiff(preset.data, now), [preset.data, now])
  const isReady = preset.data !== undefined && !enabled.isPending
  return (
    <Modal
      title={t('prices.preset.title')}
      open={open}
      onCancel={onClose}
      width={860}
      destroyOnHidden
      footer={
        <div className={styles.dialogFoot}>
          <output className="secondary">{t('prices.preset.selected', { count: chosen.length })}</output>
          <Button onClick={onClose}>{common('cancel')}</Button>
          <Button
            type="primary"
            disabled={!isReady}
            onClick={() => (chosen.length === 0 ? toast.info(t('prices.preset.needsSelection')) : onApply(chosen))}
          >
            {t('prices.preset.apply')}
          </Button>
        </div>
      }
    >
      <Radio.Group
        aria-label={t('prices.preset.source')}
        optionType="button"
        className={styles.sources}
        value={source}
        onChange={(event) => setSource(event.target.value as PriceSource)}
        options={PRICE_SOURCES.map((known) => ({ value: known, label: t(`prices.preset.sources.${known}`) }))}
      />
      <p className={styles.lead}>
        {t(`prices.preset.hints.${source}`)}{' '}
        {preset.data && t('prices.preset.version', { version: preset.data.version })}
      </p>
      {preset.error && !preset.data ? (
        <ErrorState
          title={t('prices.preset.failed')}
          error={preset.error}
          retrying={preset.isFetching}
          onRetry={preset.refetch}
        />
      ) : (
        <DiffList key={source} diff={isReady ? diff : undefined} offered={offered} onChoose={setChosen} />
      )}
    </Modal>
  )
}
