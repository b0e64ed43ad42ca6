import type { ShadowSummary } from '@tidegate/contract/api'
import { useTranslation } from 'react-i18next'
import { formatCount } from '../../../lib/format.ts'
import { PopoverButton } from '../../../ui/overlay/popover-button.tsx'
import { refusalWords } from '../refusal-words.ts'
import styles from '../shadow.module.css'

interface Props {
  reasons: ShadowSummary['refused']
  total: number
}

/** How many would have been refused; a click tells why. */
export function RefusedCalls({ reasons, total }: Props) {
  const { t } = useTranslation('shadow')
  if (total === 0) return '0'
  return (
    <PopoverButton
      className={styles.refused}
      label={t('summary.showRefused', { count: formatCount(total) })}
      title={t('summary.refusedTitle')}
      content={<Reasons reasons={reasons} />}
    >
      {formatCount(total)}
    </PopoverButton>
  )
}

function Reasons({ reasons }: Pick<Props, 'reasons'>) {
  const { t } = useTranslation('shadow')
  return (
    <ul className={styles.reasons}>
      {reasons.map(({ code, calls }) => {
        const words = refusalWords(code, t)
        return (
          <li key={code}>
            <span>
              {words !== code && words}
              <code className={`mono secondary ${styles.reasonCode}`}>{code}</code>
            </span>
            <span className="number">{t('callCount', { count: formatCount(calls) })}</span>
          </li>
        )
      })}
    </ul>
  )
}
