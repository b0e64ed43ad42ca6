import { useTranslation } from 'react-i18next'
import { useNavigate } from 'react-router'
import { CopyButton } from '../../../ui/feedback/copy-button.tsx'
import { Button } from '../../../ui/kit/index.ts'
import { NarrowPanel } from '../../../ui/page/narrow-panel.tsx'
import styles from './reset.module.css'

/** The only time that a generated password is seen. */
export function NewPassword({ password }: { password: string }) {
  const { t } = useTranslation('reset')
  const navigate = useNavigate()
  return (
    <NarrowPanel title={t('confirm.done')} purpose={t('confirm.doneHint')}>
      <output className={styles.password}>
        <CopyButton text={password} words={password} label={t('confirm.copy', { password })} />
      </output>
      <Button type="primary" size="large" block onClick={() => void navigate('/login')}>
        {t('confirm.login')}
      </Button>
    </NarrowPanel>
  )
}
