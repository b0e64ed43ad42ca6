import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { securityQuery } from '../../../components/reauth/api.ts'
import { LoadError } from '../../../components/resource/load-error.tsx'
import { Alert } from '../../../ui/kit/index.ts'
import { AccessTokenPanel } from './access-token-panel.tsx'
import { AutomationPanel } from './automation-panel.tsx'
import { DeletionPanel } from './deletion-panel.tsx'
import { Panel } from './parts.tsx'
import { PasskeysPanel } from './passkeys-panel.tsx'
import styles from './security.module.css'
import { SessionsPanel } from './sessions-panel.tsx'
import { SignInPanel } from './sign-in-panel.tsx'
import { TwoFactorPanel } from './two-factor-panel.tsx'

export function SecuritySection() {
  const { data } = useQuery(securityQuery)
  return (
    <div className={styles.section}>
      <ProtectionPanels />
      <SessionsPanel />
      {!data?.second_factor_missing && (
        <>
          <AccessTokenPanel />
          <AutomationPanel />
          <DeletionPanel />
        </>
      )}
    </div>
  )
}

function ProtectionPanels() {
  const { t } = useTranslation('security')
  const security = useQuery(securityQuery)
  if (security.error && !security.data) {
    return (
      <Panel title={t('signIn.title')} hint={t('signIn.hint')}>
        <LoadError
          title={t('loadFailed')}
          error={security.error}
          retrying={security.isFetching}
          onRetry={security.refetch}
        />
      </Panel>
    )
  }
  return (
    <>
      {security.data?.second_factor_missing && (
        <Alert type="warning" showIcon title={t('required.title')} description={t('required.text')} />
      )}
      <SignInPanel security={security.data} />
      <TwoFactorPanel security={security.data} />
      <PasskeysPanel passkeys={security.data?.passkeys} />
    </>
  )
}
