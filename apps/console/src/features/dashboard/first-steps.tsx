import { CheckCircleFilled } from '@ant-design/icons'
import { useTranslation } from 'react-i18next'
import { useNavigate } from 'react-router'
import { Button } from '../../ui/kit/index.ts'
import styles from './first-steps.module.css'
import type { StepsTaken } from './queries.ts'

interface Props {
  taken: StepsTaken
}

/** What leads from a fresh site to its first call. */
export function FirstSteps({ taken }: Props) {
  const { t } = useTranslation('dashboard')
  const navigate = useNavigate()
  const steps = [
    { name: 'channel', isDone: taken.channel, to: '/admin/channels?drawer=create' },
    { name: 'token', isDone: taken.token, to: '/app/tokens?drawer=create' },
    { name: 'call', isDone: false, to: '/app/tokens' },
  ] as const
  const next = steps.find(({ isDone }) => !isDone)
  return (
    <div className={styles.guide}>
      <h2 className={styles.title}>{t('start.title')}</h2>
      <ol className={styles.steps}>
        {steps.map(({ name, isDone, to }, index) => (
          <li key={name} className={styles.step}>
            <span className={styles.mark} data-done={isDone || undefined} aria-hidden>
              {isDone ? <CheckCircleFilled /> : index + 1}
            </span>
            <div>
              <h3 className={styles.name}>{t(`start.${name}.title`)}</h3>
              <p className={styles.hint}>{isDone ? t('start.done') : t(`start.${name}.hint`)}</p>
            </div>
            {!isDone && (
              <Button type={name === next?.name ? 'primary' : 'default'} onClick={() => void navigate(to)}>
                {t(`start.${name}.action`)}
              </Button>
            )}
          </li>
        ))}
      </ol>
    </div>
  )
}
