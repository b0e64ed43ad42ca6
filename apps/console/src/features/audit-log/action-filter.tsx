import { useTranslation } from 'react-i18next'
import { Select } from '../../ui/kit/index.ts'
import { ACTIONS, AREAS, areaOf, isArea, isKnown } from './actions.ts'
import styles from './audit.module.css'

interface Props {
  action: string
  onChange(action: string): void
}

/** A whole area, or one action in it. */
export function ActionFilter({ action, onChange }: Props) {
  const { t } = useTranslation('audit')
  const isElse = action !== '' && !isKnown(action) && !isArea(action)
  return (
    <Select
      className={styles.actionFilter}
      aria-label={t('filters.action')}
      placeholder={t('filters.action')}
      allowClear
      showSearch={{ optionFilterProp: 'label' }}
      popupMatchSelectWidth={240}
      value={action || null}
      onChange={(chosen?: string) => onChange(chosen ?? '')}
      options={[
        ...(isElse ? [{ value: action, label: action }] : []),
        ...AREAS.map((area) => ({
          label: t(`areas.${area}`),
          options: [
            { value: area, label: t(`wholeArea.${area}`) },
            ...ACTIONS.filter((known) => areaOf(known) === area).map((known) => ({
              value: known as string,
              label: t(`actions.${known}`),
            })),
          ],
        })),
        { value: 'setup', label: t('actions.setup') },
      ]}
    />
  )
}
