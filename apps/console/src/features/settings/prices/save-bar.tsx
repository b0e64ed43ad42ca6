import { useTranslation } from 'react-i18next'
import { ConflictNotice } from '../../../ui/conflict-notice.tsx'
import { Alert, Button } from '../../../ui/kit/index.ts'
import { refusalText } from '../form/refusal-text.ts'
import type { OptionTexts } from '../option-values.ts'
import { textKeyOf } from '../option-text.ts'
import settings from '../settings.module.css'
import { draftChanges } from './draft.ts'
import styles from './prices.module.css'
import { SimulateButton } from './simulation/simulate-button.tsx'
import type { PriceDraft } from './use-price-draft.ts'
import { useSaveDraft } from './use-save-draft.ts'

interface Props {
  draft: PriceDraft
  texts: OptionTexts
}

/** Saves what was entered in the list, or takes it back; says how much that is. */
export function SaveBar({ draft, texts }: Props) {
  const { t } = useTranslation('settings')
  const { t: common } = useTranslation()
  const { saving, failures, conflicts, submit, reload } = useSaveDraft(draft)
  return (
    <>
      {failures.length > 0 && (
        <Alert
          className={styles.refusals}
          type="error"
          showIcon
          title={failures.map(({ change, error }) => (
            <div key={change.key}>
              {t('prices.refusedOption', {
                option: t(`options.${textKeyOf(change.key)}.label`),
                reason: refusalText(error),
              })}
            </div>
          ))}
        />
      )}
      {conflicts.length > 0 && (
        <ConflictNotice text={t('conflict.prices', { models: conflicts.join(', ') })} onReload={reload} />
      )}
      <div className={settings.foot}>
        <Button
          type="primary"
          loading={saving}
          aria-label={t('saveOf', { section: t('parts.prices.title') })}
          onClick={() => void submit()}
        >
          {common('save')}
        </Button>
        <SimulateButton read={() => draftChanges(texts, draft.draft)} />
        {draft.count > 0 && (
          <>
            <Button onClick={draft.clear} disabled={saving}>
              {t('undo')}
            </Button>
            <output className="secondary">{t('prices.unsaved', { count: draft.count })}</output>
          </>
        )}
      </div>
    </>
  )
}
